export { daemonSocket } from './daemon-socket.ts';
export {
  answersAreChecked,
  machineEnvironment,
  okaHome,
  providerEnvironment,
  vaultPassphrase,
} from './environment.ts';
export { type ConfigFiles, loadConfig } from './load-config.ts';
export { parseDuration } from './parse-duration.ts';
export type { ConfigErrorCode, ModelConfig, OkaConfig, ReplicationConfig } from './types.ts';
