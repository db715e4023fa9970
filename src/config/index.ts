export { daemonSocket } from './daemon-socket.ts';
export {
  answersAreChecked,
  machineEnvironment,
  okaHome,
  providerEnvironment,
  vaultPassphrase,
} from './environment.ts';
export { loadConfig } from './load-config.ts';
export { parseDuration } from './parse-duration.ts';
export type { ConfigErrorCode, ModelConfig, OkaConfig, ReplicationConfig } from './types.ts';
