export { providerEmbedder } from './provider-embedder.ts';
