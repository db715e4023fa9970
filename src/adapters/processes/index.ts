export { commandHooks } from './command-hooks.ts';
export { probeDrafts } from './draft-support.ts';
export { tryEscapes } from './escapes/try-escapes.ts';
export { processOwners } from './process-owners.ts';
export { ProcessRecord } from './process-record.ts';
export type { SimulatedFiles } from './simulated-draft.ts';
export { type DefinedProgram, WorkspaceProcesses } from './workspace-processes.ts';
