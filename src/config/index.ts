export { loadConfig } from './load-config.ts';
export { okaHome } from './oka-home.ts';
export type { ConfigErrorCode, ModelConfig, OkaConfig, RemoteModelConfig, ScriptedModelConfig } from './types.ts';
