import type { OkaApi } from '../api/index.ts';
import type { Context } from './context.ts';
import { EXIT, type ExitCode } from './exit-codes.ts';

/** Runs a command and records its exit code; 0 if it returns none. */
export type Run = (work: (context: Context) => Promise<ExitCode> | Promise<void>) => Promise<void>;

/** Runs a command that prints the answer of one API call. */
export function answerWith<Answer>(
  run: Run,
  call: (api: OkaApi, context: Context) => Promise<Answer>,
  show: (answer: Answer) => string,
  exitOf: (answer: Answer) => ExitCode = () => EXIT.ok,
): Promise<void> {
  return run(async (context) => {
    const answer = await call(await context.open(), context);
    context.printer.answer(answer, show);
    return exitOf(answer);
  });
}
