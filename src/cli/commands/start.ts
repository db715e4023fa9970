import { relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Command } from 'commander';
import { isOkaError, type OkaApi, type RunAnswer, type RunView } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { findDaemon, requestWebLink } from '../daemon-link.ts';
import { exitOfRun } from '../exit-codes.ts';
import { PATIENCE_MS } from '../finish-run.ts';
import { showRunId } from '../format.ts';
import { placeOf, runHostInForeground } from '../host-process.ts';
import type { Run } from '../run.ts';
import { listenersOf, watchRun } from '../run-progress.ts';

const GRAPH = fileURLToPath(new URL('../gallery/nightly-brief.json', import.meta.url));

/** Runs `npm start`. */
export function startCommand(program: Command, run: Run): void {
  program
    .command('start', { hidden: true })
    .description('Run a graph on this folder, print next steps and start the web app')
    .option('--once', 'Exit when the job is done')
    .option('--stay', 'Serve the web app although this is no terminal')
    .action((options: { once?: boolean; stay?: boolean }) =>
      run(async (context) => {
        context.stayInFolder();
        const done = await runJob(context);
        const isWatched =
          process.stdin.isTTY === true && process.stdout.isTTY === true && !context.printer.json;
        const stays = options.once !== true && (options.stay === true || isWatched);
        if (stays && !context.interrupted.aborted) await serveApp(context, done.id);
        return exitOfRun(done);
      }),
    );
}

/** Runs the graph and prints what it did. */
async function runJob(context: Context): Promise<RunView> {
  const { printer } = context;
  const inside = relative(context.workspace, GRAPH);
  const graph = inside.startsWith('..') ? GRAPH : inside;
  const api = await context.open();
  await api.init({ trust: true });
  printer.message(`${printer.colors.bold('Oka')} runs a graph on this folder: ${graph}\n`);
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
  const picture = await drawRun(api, answer.run.id);
  printer.answer(answer, () => showJob(answer, picture, graph));
  return answer.run;
}

function showJob({ run, output }: RunAnswer, picture: string, graph: string): string {
  const { changed, report, files } = (output ?? {}) as { changed?: boolean; report?: string; files?: number };
  const did = changed
    ? `${report} describes ${files} files.`
    : `Nothing changed since ${report} was written.`;
  const ended = run.failure?.message ?? run.waitingFor?.detail ?? '';
  return [
    '',
    picture,
    '',
    run.status === 'completed' ? `Done: ${did}` : `Status ${run.status}: ${ended}`,
    '',
    'Every decision is recorded. Try:',
    `  npx oka runs explain ${showRunId(run.id)}      why each step happened`,
    `  npx oka runs replay ${showRunId(run.id)}       narrate it; --as decision repeats the decisions, --as full runs it on a copy`,
    `  npx oka runs undo ${showRunId(run.id)}         restore the files`,
    '  npx oka ledger verify                                verify the record',
    `  npx oka graph schedule add ${graph} "0 7 * * *"    every morning at seven`,
    '  npx oka do "<your goal>"                             work on your own goal',
    '  npx oka web                                          see and steer everything in the browser',
  ].join('\n');
}

/** Runs the daemon on this terminal until Ctrl-C, and prints a link to the page of the run. */
async function serveApp(context: Context, run: string): Promise<void> {
  const { printer } = context;
  const place = placeOf(context);
  const printLink = async (how: string): Promise<void> => {
    try {
      const { url } = await requestWebLink(place, `/runs/${run}`);
      printer.message(`\nThe run in the web app: ${url}\n${how}`);
    } catch (error) {
      // The daemon works without the web app, too.
      printer.warning((error as Error).message);
    }
  };
  const running = await findDaemon(place);
  running?.link.close();
  if (running !== undefined)
    return printLink('The daemon runs in the background. Stop it with: npx oka down');
  // The daemon opens the same workspace.
  await context.close();
  let printed: Promise<void> | undefined;
  await runHostInForeground(context, {
    onReady: () => {
      printed = printLink('The link works once; for another one: npx oka web. Ctrl-C stops the daemon.');
    },
  });
  await printed;
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
