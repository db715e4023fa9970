export { providerEmbedder } from './provider-embedder.ts';
export { readWordVectors } from './read-word-vectors.ts';
