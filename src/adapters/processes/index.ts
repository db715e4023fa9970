export { commandHooks } from './command-hooks.ts';
export { processOwners } from './process-owners.ts';
export { ProcessRecord } from './process-record.ts';
export { WorkspaceProcesses, type WorkspaceProcessesOptions } from './workspace-processes.ts';
