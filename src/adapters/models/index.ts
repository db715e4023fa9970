export { findModels } from './find-models.ts';
export { ConfiguredModels } from './model-directory.ts';
