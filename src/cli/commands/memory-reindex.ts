import type { Command } from 'commander';
import { EXIT } from '../exit-codes.ts';
import type { Run } from '../run.ts';

const PROGRESS_INTERVAL = 10_000;

export function reindexCommand(memory: Command, run: Run): void {
  memory
    .command('reindex')
    .description('Rebuild the search index and vectors of memory')
    .addHelpText(
      'after',
      [
        '',
        'Examples:',
        '  oka memory reindex         after changing the embedder, or when a search asks for it',
        '',
        'You can stop it at any time and run it again to finish.',
      ].join('\n'),
    )
    .action(() =>
      run(async (context) => {
        let reported = 0;
        const onProgress = (done: number, total: number): void => {
          if (done < reported) reported = 0;
          if (done - reported < PROGRESS_INTERVAL) return;
          reported = done;
          context.printer.message(`${done} of ${total} texts`);
        };
        const answer = await (await context.open()).memory.reindex({ onProgress });
        context.printer.answer(answer, ({ texts, embedder }) => `${texts} texts, embedder: ${embedder}`);
        return EXIT.ok;
      }),
    );
}
