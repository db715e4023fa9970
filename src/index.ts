export * from './agent/index.ts';
export * from './engine/index.ts';
export * from './graph/index.ts';
export * from './kernel/index.ts';
export * from './ledger/index.ts';
export * from './models/index.ts';
export * from './runtime/index.ts';
export * from './schedule/index.ts';
