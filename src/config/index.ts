export { loadConfig } from './load-config.ts';
export { type ConfigErrorCode, DEFAULT_CONFIG, type OkaConfig } from './types.ts';
export { okaHome } from './oka-home.ts';
