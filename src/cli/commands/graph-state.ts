import { Argument, type Command } from 'commander';
import type { CheckpointView, StateValue } from '../../api/index.ts';
import { parseCount } from '../context.ts';
import { graphArgument } from '../find-workspace.ts';
import { clip, showTime, table } from '../format.ts';
import { visible } from '../printer.ts';
import { answerWith, type Run } from '../run.ts';

const GRAPH = new Argument('<graph>', 'Path or id of a graph').argParser(graphArgument);

export function graphStateCommand(graph: Command, run: Run): void {
  const state = graph
    .command('state')
    .description('Show state that a graph keeps between runs')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph state show report\n  oka graph state get report seen\n  oka graph state history report seen 5\n  oka graph state checkpoints 01j…',
    );
  state
    .command('show')
    .description('Show all keys and values')
    .addArgument(GRAPH)
    .action((name: string) =>
      answerWith(
        run,
        async (api) => ({ graph: name, state: await api.graphs.state.list(name) }),
        ({ state: entries }) => showEntries(entries),
      ),
    );
  state
    .command('get')
    .description('Show the value of a key')
    .addArgument(GRAPH)
    .argument('<key>')
    .action((name: string, key: string) =>
      run(async (context) => {
        const entry = await (await context.open()).graphs.state.get(name, key);
        const data = { key, value: entry?.value ?? null, ...(entry ? { at: entry.at, run: entry.run } : {}) };
        if (entry === undefined)
          context.printer.message(`No value for "${visible(key)}". See: oka graph state show ${name}`);
        context.printer.answer(data, ({ value }) => JSON.stringify(value, null, 2));
      }),
    );
  state
    .command('history')
    .description('Show earlier values of a key, newest first')
    .addArgument(GRAPH)
    .argument('<key>')
    .argument('[limit]', 'Show at most this many', parseCount, 20)
    .action((name: string, key: string, limit: number) =>
      run(async (context) => {
        const found = await (await context.open()).graphs.state.history(name, key, limit);
        const history = found.map(({ value, at, run: by }) => ({ value, at, run: by }));
        context.printer.answer({ key, history }, () => showEntries(found));
      }),
    );
  state
    .command('checkpoints')
    .description('List the steps that a run can be forked from')
    .argument('<run>', 'Run id')
    .action((id: string) =>
      answerWith(
        run,
        async (api) => ({ run: id, checkpoints: await api.graphs.state.checkpoints(id) }),
        showCheckpoints,
      ),
    );
}

function showEntries(entries: readonly StateValue[]): string {
  if (entries.length === 0) return 'No state yet';
  const rows = entries.map(({ key, at, run, value }) => [
    clip(key, 40),
    showTime(at),
    run,
    clip(JSON.stringify(value), 80),
  ]);
  return table(['key', 'written (UTC)', 'by run', 'value'], rows);
}

function showCheckpoints({ checkpoints }: { readonly checkpoints: readonly CheckpointView[] }): string {
  const rows = checkpoints.map(({ step, node, status, at, last, failure }) => [
    String(step),
    clip(node, 30),
    status,
    showTime(at),
    clip(failure?.message ?? JSON.stringify(last ?? null), 70),
  ]);
  return table(['step', 'node', 'status', 'at (UTC)', 'last'], rows);
}
