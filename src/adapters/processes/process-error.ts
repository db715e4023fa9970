import { OkaError, type OkaErrorOptions } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../../tools/index.ts';

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
    `Program "${program}" not found. Install it, or use another one.`,
  );
}

export function notExecutable(program: string): OkaError<ToolsErrorCode> {
  return processError(
    'process.not_executable',
    program,
    `"${program}" is not executable. Make it executable, or run it with its interpreter.`,
  );
}

/** Explains why the system did not start a program. */
export function startError(error: unknown, program: string): unknown {
  const system = error instanceof Error ? (error as NodeJS.ErrnoException).code : undefined;
  if (system === undefined) return error;
  if (system === 'ENOENT') return programMissing(program);
  if (system === 'EACCES' || system === 'ENOEXEC') return notExecutable(program);
  return processError(
    'process.start_failed',
    program,
    `The system could not start "${program}" (${system}). Try again with fewer or shorter arguments.`,
    { cause: error, data: { system }, transient: system === 'EAGAIN' || system === 'EMFILE' },
  );
}
