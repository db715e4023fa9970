import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

/** Runs a command with a context and records its exit code. */
export type Run = (work: (context: Context) => Promise<ExitCode>) => Promise<void>;
