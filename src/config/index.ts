export { readJsonFile, userHome, userName } from '../disk/index.ts';
export { daemonSocket } from './daemon-socket.ts';
export {
  answersAreChecked,
  executionEnvironment,
  hasDisplay,
  machineEnvironment,
  okaHome,
  projectToken,
  providerEnvironment,
  terminalIsWatched,
  vaultPassphrase,
  webListen,
} from './environment.ts';
export { headsFolder, ledgerLocation, parseLocation, schemaOf } from './ledger-location.ts';
export { type ConfigFiles, loadConfig, readConfig } from './load-config.ts';
export { parseDuration } from './parse-duration.ts';
export { knownNames } from './setting-names.ts';
export {
  type ConfigOwner,
  changeSetting,
  getSetting,
  listSettings,
  type Setting,
  settingsWithoutEffect,
} from './settings.ts';
export { type ActiveTelemetry, activeTelemetry, parseHeaders } from './telemetry-settings.ts';
export type { ConfigErrorCode, ExecutionConfig, ModelConfig, OkaConfig, ReplicationConfig } from './types.ts';
