// The entry point `oka/memory`.
export * from '../memory/index.ts';
export type { Embedder, TextReading } from '../retrieval/index.ts';
export { type OpenMemoryOptions, openMemory } from './open-memory.ts';
export { openStores, type StoreLocation, type StoreOptions, type Stores } from './open-stores.ts';
