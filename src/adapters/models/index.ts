export { ConfiguredModels, type ModelConfig } from './model-directory.ts';
