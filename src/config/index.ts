export { daemonSocket } from './daemon-socket.ts';
export { loadConfig } from './load-config.ts';
export { machineEnvironment } from './machine-environment.ts';
export { okaHome } from './oka-home.ts';
export { parseDuration } from './parse-duration.ts';
export { providerEnvironment } from './provider-environment.ts';
export type { ConfigErrorCode, ModelConfig, OkaConfig, ReplicationConfig } from './types.ts';
export { answersAreChecked, vaultPassphrase } from './vault-environment.ts';
