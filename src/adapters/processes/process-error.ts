import { OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

/** An error about one program. */
export function processError(
  code: ToolsErrorCode,
  program: string,
  message: string,
  options: OkaErrorOptions = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, message, { ...options, data: { program, ...options.data } });
}

export function programMissing(program: string): OkaError<ToolsErrorCode> {
  return processError(
    'process.program_missing',
    program,
    `there is no program "${program}" here; install it, or give another one.`,
  );
}

export function notExecutable(program: string): OkaError<ToolsErrorCode> {
  return processError(
    'process.not_executable',
    program,
    `"${program}" is not a program that may be run; make it executable, or run it with its interpreter.`,
  );
}

/** Says in our words why the system did not start a program. */
export function startError(error: unknown, program: string): unknown {
  const system = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (system === undefined) return error;
  if (system === 'ENOENT') return programMissing(program);
  if (system === 'EACCES' || system === 'ENOEXEC') return notExecutable(program);
  return processError(
    'process.start_failed',
    program,
    `the system did not start "${program}" (${system}); try again with fewer or shorter arguments.`,
    { cause: error, data: { system }, transient: system === 'EAGAIN' || system === 'EMFILE' },
  );
}
