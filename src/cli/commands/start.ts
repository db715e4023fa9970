import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { isOkaError, type OkaApi } from '../../api/index.ts';
import { exitOfRun } from '../exit-codes.ts';
import { PATIENCE_MS } from '../go-on.ts';
import type { Run } from '../run.ts';
import { liveTimeline } from '../timeline.ts';

/** Beside the program, wherever that is installed. */
const GRAPH = fileURLToPath(new URL('../gallery/nightly-brief.json', import.meta.url));

/** What `npm start` runs: one real job on this very folder, then what to look at next. */
export function startCommand(program: Command, run: Run): void {
  program
    .command('start', { hidden: true })
    .description('run a real job on this folder, then say how to look into it')
    .option('--once', 'end when the job is done')
    .action(() =>
      run(async (context) => {
        const { printer } = context;
        const { colors } = printer;
        const inside = relative(context.workspace, GRAPH);
        const graph = inside.startsWith('..') ? GRAPH : inside;
        const api = await context.open();
        await api.init({ trust: true });
        printer.message(`${colors.bold('Oka')} runs a graph on this folder: ${graph}\n`);
        const answer = await api.graphs.run({
          graph,
          input: null,
          vars: {},
          budgets: {},
          simulate: false,
          patienceMs: PATIENCE_MS,
          signal: context.interrupted,
          onEvent: liveTimeline(printer),
        });
        const { run: done, output } = answer;
        const picture = await pictureOf(api, done.id);
        printer.answer(answer, () => {
          const { changed, report, files } = (output ?? {}) as {
            changed?: boolean;
            report?: string;
            files?: number;
          };
          const did = changed
            ? `${report} tells of ${files} files.`
            : `Nothing changed since ${report} was written.`;
          const ended = done.failure?.message ?? done.waitingFor?.detail ?? '';
          return [
            '',
            picture,
            '',
            done.status === 'completed' ? `Done: ${did}` : `It ${done.status}: ${ended}`,
            '',
            'Every decision is on record. Try:',
            `  npx oka runs explain ${done.id}      why it did what it did`,
            `  npx oka runs replay ${done.id}       the story; --as decision asks the planner again, --as full runs it beside your files`,
            `  npx oka runs undo ${done.id}         put the files back`,
            '  npx oka ledger verify                                prove that nothing was changed since',
            `  npx oka graph schedule add ${graph} "0 7 * * *"    every morning at seven`,
            '  npx oka do "<your goal>"                             a goal of your own, without a graph',
          ].join('\n');
        });
        return exitOfRun(done);
      }),
    );
}

/** The graph with what became of each node, where the terminal has room for it. */
async function pictureOf(api: OkaApi, run: string): Promise<string> {
  try {
    return await api.graphs.render(undefined, { format: 'ascii', run });
  } catch (error) {
    if (isOkaError(error, 'graph.too_large_to_draw')) return '';
    throw error;
  }
}
