export { entryTerms, MAX_ASSUMED_CONTEXT } from './entry-terms.ts';
export { describeModel, type ListedModel, listModels } from './list-models.ts';
export { ConfiguredModels } from './model-directory.ts';
export { pingModel, probeModel } from './probe-model.ts';
export { resolveSettings } from './resolve-settings.ts';
export { cutKeys } from './to-model-error.ts';
export type { RemoteEntry } from './types.ts';
