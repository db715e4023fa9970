// The entry point `oka/engine`.
export * from '../engine/index.ts';
export { defineTool, type ToolDefinition } from '../tools/index.ts';
export { openStores, type StoreLocation, type StoreOptions, type Stores } from './open-stores.ts';
