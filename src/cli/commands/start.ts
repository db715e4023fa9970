import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { isOkaError, type OkaApi } from '../../api/index.ts';
import { exitOfRun } from '../exit-codes.ts';
import { PATIENCE_MS } from '../finish-run.ts';
import { showRunId } from '../format.ts';
import type { Run } from '../run.ts';
import { listenersOf, watchRun } from '../run-progress.ts';

const GRAPH = fileURLToPath(new URL('../gallery/nightly-brief.json', import.meta.url));

/** Runs `npm start`. */
export function startCommand(program: Command, run: Run): void {
  program
    .command('start', { hidden: true })
    .description('Run a graph on this folder and print next steps')
    .option('--once', 'Exit when the job is done')
    .action(() =>
      run(async (context) => {
        context.stayInFolder();
        const { printer } = context;
        const { colors } = printer;
        const inside = relative(context.workspace, GRAPH);
        const graph = inside.startsWith('..') ? GRAPH : inside;
        const api = await context.open();
        await api.init({ trust: true });
        printer.message(`${colors.bold('Oka')} runs a graph on this folder: ${graph}\n`);
        const watch = await watchRun(context);
        const answer = await api.graphs
          .run({
            graph,
            input: null,
            vars: {},
            budgets: {},
            simulate: false,
            patienceMs: PATIENCE_MS,
            signal: context.interrupted,
            ...listenersOf(watch),
          })
          .finally(() => watch.end());
        const { run: done, output } = answer;
        const picture = await drawRun(api, done.id);
        printer.answer(answer, () => {
          const { changed, report, files } = (output ?? {}) as {
            changed?: boolean;
            report?: string;
            files?: number;
          };
          const did = changed
            ? `${report} describes ${files} files.`
            : `Nothing changed since ${report} was written.`;
          const ended = done.failure?.message ?? done.waitingFor?.detail ?? '';
          return [
            '',
            picture,
            '',
            done.status === 'completed' ? `Done: ${did}` : `Status ${done.status}: ${ended}`,
            '',
            'Every decision is recorded. Try:',
            `  npx oka runs explain ${showRunId(done.id)}      why each step happened`,
            `  npx oka runs replay ${showRunId(done.id)}       narrate it; --as decision repeats the decisions, --as full runs it on a copy`,
            `  npx oka runs undo ${showRunId(done.id)}         restore the files`,
            '  npx oka ledger verify                                verify the record',
            `  npx oka graph schedule add ${graph} "0 7 * * *"    every morning at seven`,
            '  npx oka do "<your goal>"                             work on your own goal',
          ].join('\n');
        });
        return exitOfRun(done);
      }),
    );
}

/** Draws the run, or nothing if the graph is too large. */
async function drawRun(api: OkaApi, run: string): Promise<string> {
  try {
    return await api.graphs.render(undefined, { format: 'ascii', run });
  } catch (error) {
    if (isOkaError(error, 'graph.too_large_to_draw')) return '';
    throw error;
  }
}
