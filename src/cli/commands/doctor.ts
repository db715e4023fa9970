import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import type { Run } from '../run.ts';

export function doctorCommand(program: Command, run: Run): void {
  program
    .command('doctor')
    .description('check everything that Oka stands on')
    .action(() =>
      run(async (context) => {
        const answer = await (await context.open()).doctor();
        context.printer.answer(answer, ({ checks, middleware }) =>
          [
            ...checks.map(({ name, ok, detail }) => `${ok ? '✓' : '✗'} ${name.padEnd(10)} ${detail}`),
            ...(middleware.length > 0 ? [`  middleware ${middleware.join(' → ')}`] : []),
          ].join('\n'),
        );
        return answer.ok ? EXIT.ok : EXIT.failed;
      }),
    );
}
