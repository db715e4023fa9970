export { ConfiguredModels } from './model-directory.ts';
