export { loadConfig } from './load-config.ts';
export { okaHome } from './oka-home.ts';
export type { ConfigErrorCode, OkaConfig } from './types.ts';
