import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import type { Run } from '../run.ts';

/** After so many texts it says again how far it is. */
const TOLD_EVERY = 10_000;

export function reindexCommand(memory: Command, run: Run): void {
  memory
    .command('reindex')
    .description('make the index and the vectors of memory anew; nothing that is remembered changes')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory reindex         after another embedder was configured, or when a search says so',
        '',
        'It may be stopped at any time; call it again to finish.',
      ].join('\n'),
    )
    .action(() =>
      run(async (context) => {
        let told = 0;
        const onProgress = (done: number, total: number): void => {
          if (done < told) told = 0;
          if (done - told < TOLD_EVERY) return;
          told = done;
          context.printer.message(`${done} of ${total} texts`);
        };
        const answer = await (await context.open()).memory.reindex({ onProgress });
        context.printer.answer(answer, ({ texts, embedder }) => `${texts} texts, embedder: ${embedder}`);
        return EXIT.ok;
      }),
    );
}
