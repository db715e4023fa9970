import type { Context } from './context.ts';
import type { ExitCode } from './exit-codes.ts';

/** Runs a command's work with a context, and remembers how it ended. */
export type Run = (work: (context: Context) => Promise<ExitCode>) => Promise<void>;
