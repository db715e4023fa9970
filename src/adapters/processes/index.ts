export { commandHooks } from './command-hooks.ts';
export { findProgram } from './find-program.ts';
export { processOwners } from './process-owners.ts';
export { ProcessRecord } from './process-record.ts';
