import { Argument, type Command, Option } from 'commander';
import {
  type BuildAnswer,
  type Diagnostic,
  type GraphListItem,
  type GuaranteeMode,
  type Json,
  OkaError,
  type PatchAnswer,
  type PictureFormat,
  type ShowGraphAnswer,
  type ValidateAnswer,
} from '../../api/index.ts';
import {
  type Context,
  collect,
  parseCount,
  parseJsonArgument,
  parseJsonObject,
  parsePairs,
} from '../context.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { showRunList, table } from '../format.ts';
import { finishWithRun, PATIENCE_MS } from '../go-on.ts';
import { visible } from '../printer.ts';
import { readInput } from '../read-input.ts';
import type { Run } from '../run.ts';
import { eventsOf } from '../watch-graph.ts';
import { graphScheduleCommand } from './graph-schedule.ts';
import { graphStateCommand } from './graph-state.ts';

const GRAPH = new Argument('<graph>', 'a path, or the id of a graph in .oka/graphs');
const RUN = new Argument('<run>', 'the id of a run');
const MODE = new Option('--mode <mode>', 'instead of the mode that the file names').choices([
  'strict',
  'bounded',
  'flex',
]);

interface WatchOptions {
  readonly watch?: boolean;
  readonly streamJson?: boolean;
}

export function graphCommand(program: Command, run: Run): void {
  const graph = program
    .command('graph')
    .description('automations: write, check, run, watch and schedule them')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph build "search for TODO and write the matches to TODOS.md"\n  oka graph validate brief.json\n  oka graph run brief.json --watch\n  oka graph render brief --format ascii\n  oka graph schedule add brief "0 7 * * 1-5" --zone Europe/Berlin',
    );
  lookAtGraphs(graph, run);
  changeGraphs(graph, run);
  runGraphs(graph, run);
  graphStateCommand(graph, run);
  graphScheduleCommand(graph, run);
}

function lookAtGraphs(graph: Command, run: Run): void {
  graph
    .command('list')
    .description('the graphs of this workspace')
    .action(() =>
      run(async (context) => {
        const graphs = await (await context.open()).graphs.list();
        context.printer.answer({ graphs }, (data) => showGraphs(data.graphs));
        return EXIT.ok;
      }),
    );
  graph
    .command('validate')
    .description('check a graph; every problem at once, with its place and a way out')
    .addArgument(GRAPH)
    .addOption(MODE)
    .action((name: string, options: { mode?: GuaranteeMode }) =>
      run(async (context) => {
        const answer = await (await context.open()).graphs.validate(name, options.mode);
        context.printer.answer(answer, showValidation);
        return answer.valid ? EXIT.ok : EXIT.invalidInput;
      }),
    );
  graph
    .command('show')
    .description('a graph as it stands in its file')
    .addArgument(GRAPH)
    .action((name: string) =>
      run(async (context) => {
        context.printer.answer(await (await context.open()).graphs.show(name), showGraph);
        return EXIT.ok;
      }),
    );
  graph
    .command('render')
    .description('a picture of a graph, or of a run of it')
    .argument('[graph]', 'a path, or the id of a graph in .oka/graphs')
    .addOption(
      new Option('--format <format>', 'how').choices(['mermaid', 'dot', 'ascii', 'svg']).default('ascii'),
    )
    .option('--run <run>', 'with what became of each node in this run')
    .option('--plain', 'only ASCII characters in the ascii picture')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph render brief.json\n  oka graph render brief.json --format svg > brief.svg\n  oka graph render --run 01j…',
    )
    .action((name: string | undefined, options: { format: PictureFormat; run?: string; plain?: boolean }) =>
      run(async (context) => {
        if (name === undefined && options.run === undefined)
          throw new OkaError('cli.usage', 'name a graph, or a run with --run.');
        const picture = await (await context.open()).graphs.render(name, options);
        context.printer.answer({ format: options.format, picture }, (data) => data.picture);
        return EXIT.ok;
      }),
    );
  graph
    .command('schema')
    .description('the JSON Schema of graph files, for editors')
    .action(() =>
      run(async (context) => {
        const schema = await (await context.open()).graphs.schema();
        context.printer.answer({ schema }, (data) => JSON.stringify(data.schema, null, 2));
        return EXIT.ok;
      }),
    );
  graph
    .command('runs')
    .description('the newest runs of a graph')
    .addArgument(GRAPH)
    .argument('[limit]', 'how many at the most', parseCount, 20)
    .action((name: string, limit: number) =>
      run(async (context) => {
        const runs = await (await context.open()).graphs.runs(name, limit, context.printer.json);
        context.printer.answer({ runs }, (data) => showRunList(data.runs));
        return EXIT.ok;
      }),
    );
}

function changeGraphs(graph: Command, run: Run): void {
  graph
    .command('build')
    .description('make a graph of what you want')
    .argument('<intent>', 'what it should do, in plain words')
    .option('--id <id>', 'its id, instead of one made of the intent')
    .option('--dry-run', 'show it, write nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph build "search for TODO and write the matches to TODOS.md"\n  oka graph build \'every weekday at 7 search for "TODO" in src and save the matches to todo.md\' --dry-run',
    )
    .action((intent: string, options: { id?: string; dryRun?: boolean }) =>
      run(async (context) => {
        const { id, dryRun = false } = options;
        const answer = await (await context.open()).graphs.build(intent, named(id, dryRun));
        context.printer.answer(answer, showBuilt);
        return EXIT.ok;
      }),
    );
  graph
    .command('from-run')
    .description('make a graph of what a finished run did')
    .addArgument(RUN)
    .option('--id <id>', 'its id')
    .option('--dry-run', 'show it, write nothing')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph from-run 01j… --dry-run\n  oka graph from-run 01j… --id weekly_brief',
    )
    .action((source: string, options: { id?: string; dryRun?: boolean }) =>
      run(async (context) => {
        const { id, dryRun = false } = options;
        const answer = await (await context.open()).graphs.fromRun(source, named(id, dryRun));
        context.printer.answer(answer, showBuilt);
        return EXIT.ok;
      }),
    );
  graph
    .command('patch')
    .description('change one field of one node; checked before it is written')
    .addArgument(GRAPH)
    .argument('<node>', 'the id of the node')
    .argument('<field>', 'the field, such as next or args.path')
    .argument('<json>', 'its new value as JSON')
    .addHelpText('after', '\nExamples:\n  oka graph patch brief write args.path \'"NEW.md"\'')
    .action((name: string, node: string, field: string, json: string) =>
      run(async (context) => {
        const value = parseJsonArgument(json, 'the value') as Json;
        context.printer.answer(
          await (await context.open()).graphs.patch(name, node, field, value),
          showPatch,
        );
        return EXIT.ok;
      }),
    );
}

function runGraphs(graph: Command, run: Run): void {
  graph
    .command('run')
    .description('run a graph until it is done, blocked, or needs you')
    .addArgument(GRAPH)
    .addOption(MODE)
    .option('--input <file>', 'the JSON that it works on; - reads it from standard input')
    .option('--vars <json>', 'variables, as {{vars.name}} in templates', '{}')
    .option('--simulate', 'show what would happen; nothing is changed')
    .option('--dry-run', 'the same as --simulate')
    .option('--budget <name=amount>', 'cap something, as in steps=50; may be given again', collect, [])
    .option('--watch', 'a live view of the nodes')
    .option('--stream-json', 'one event a line, the envelope last')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph run brief.json --watch\n  oka graph run brief --input data.json --vars \'{"limit":5}\'\n  oka graph run brief --simulate',
    )
    .action(
      (
        name: string,
        options: WatchOptions & {
          mode?: GuaranteeMode;
          input?: string;
          vars: string;
          simulate?: boolean;
          dryRun?: boolean;
          budget: readonly string[];
        },
      ) =>
        run(async (context) => {
          const input = options.input === undefined ? null : await readInput(options.input);
          const vars = parseJsonObject(options.vars, '--vars');
          const budgets = parsePairs(options.budget, '--budget');
          const api = await context.open();
          const view = await eventsOf(context, options, async () => (await api.graphs.show(name)).definition);
          const answer = await api.graphs.run({
            graph: name,
            input,
            vars,
            budgets,
            simulate: options.simulate === true || options.dryRun === true,
            patienceMs: PATIENCE_MS,
            signal: context.interrupted,
            onEvent: view.onEvent,
            ...(options.mode === undefined ? {} : { mode: options.mode }),
          });
          view.end();
          return finishWithRun(context, answer);
        }),
    );
  graph
    .command('replay')
    .description('run again with the recorded input on the graph that the run was pinned to')
    .addArgument(RUN)
    .addOption(
      new Option('--as <mode>', 'retell or compare instead of running').choices([
        'narrative',
        'decision',
        'full',
      ]),
    )
    .option('--watch', 'a live view of the nodes')
    .option('--stream-json', 'one event a line, the envelope last')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph replay 01j… --watch\n  oka graph replay 01j… --as decision',
    )
    .action((id: string, options: WatchOptions & { as?: 'narrative' | 'decision' | 'full' }) =>
      run(async (context) => {
        const api = await context.open();
        if (options.as !== undefined) return replayAs(context, id, options.as);
        const view = await eventsOf(context, options, undefined);
        const answer = await api.graphs.replay(id, {
          patienceMs: PATIENCE_MS,
          signal: context.interrupted,
          onEvent: view.onEvent,
        });
        view.end();
        return finishWithRun(context, answer);
      }),
    );
  resumeGraph(graph, run);
}

function resumeGraph(graph: Command, run: Run): void {
  graph
    .command('resume')
    .description('go on with a run, on the graph that it was started with')
    .addArgument(RUN)
    .option('--add-budget <name=amount>', 'raise a limit first; may be given again', collect, [])
    .option('--repin', 'go on with the graph as it is now; shows the differences first')
    .option('--watch', 'a live view of the nodes')
    .option('--stream-json', 'one event a line, the envelope last')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph resume 01j… --watch\n  oka graph resume 01j… --add-budget steps=50 --repin',
    )
    .action((id: string, options: WatchOptions & { addBudget: readonly string[]; repin?: boolean }) =>
      run(async (context) => {
        const api = await context.open();
        if (options.repin) {
          const differences = [
            ...(await api.graphs.repinDifferences(id)),
            ...(await api.runs.pinDifferences(id)),
          ];
          for (const difference of differences) context.printer.message(`repin ${difference}`);
        }
        const view = await eventsOf(context, options, undefined);
        const answer = await api.runs.resume({
          run: id,
          by: context.by,
          repin: options.repin ?? false,
          addBudgets: parsePairs(options.addBudget, '--add-budget'),
          patienceMs: PATIENCE_MS,
          signal: context.interrupted,
          onEvent: view.onEvent,
        });
        view.end();
        return finishWithRun(context, answer);
      }),
    );
}

async function replayAs(
  context: Context,
  id: string,
  mode: 'narrative' | 'decision' | 'full',
): Promise<ExitCode> {
  const answer = await (await context.open()).runs.replay(id, mode);
  context.printer.answer(answer, ({ narrative, equal, compared, differences }) =>
    narrative
      ? narrative.map(visible).join('\n')
      : equal
        ? `equal: ${compared} decisions compared`
        : differences.map(({ step }) => `step ${step} differs`).join('\n'),
  );
  return EXIT.ok;
}

function named(id: string | undefined, dryRun: boolean): { id?: string; dryRun: boolean } {
  return id === undefined ? { dryRun } : { id, dryRun };
}

function showGraphs(graphs: readonly GraphListItem[]): string {
  if (graphs.length === 0) return 'no graphs yet; make one with: oka graph build "<what you want>"';
  const rows = graphs.map(({ id, name, version, nodes, mode, problem }) => [
    visible(id),
    version,
    mode,
    String(nodes),
    visible(problem ?? name),
  ]);
  return table(['graph', 'version', 'mode', 'nodes', 'name'], rows);
}

function showDiagnostics(diagnostics: readonly Diagnostic[]): string[] {
  return diagnostics.flatMap(({ severity, path, message, suggestion, code }) => [
    `${severity === 'error' ? '✗' : '!'} ${path}  ${visible(message)} (${code})`,
    ...(suggestion === undefined ? [] : [`    ${visible(suggestion)}`]),
  ]);
}

function showValidation({ valid, hash, diagnostics }: ValidateAnswer): string {
  const errors = diagnostics.filter(({ severity }) => severity === 'error').length;
  const warnings = diagnostics.length - errors;
  const counted = (count: number, what: string): string => `${count} ${what}${count === 1 ? '' : 's'}`;
  const verdict = valid
    ? `valid, ${counted(warnings, 'warning')}, hash ${hash?.slice(0, 12)}`
    : `${counted(errors, 'error')}, ${counted(warnings, 'warning')}`;
  return [...showDiagnostics(diagnostics), verdict].join('\n');
}

function showGraph({ path, definition, valid, diagnostics }: ShowGraphAnswer): string {
  return [
    visible(JSON.stringify(definition, null, 2)),
    '',
    `${path}: ${valid ? 'valid' : 'not valid'}`,
    ...showDiagnostics(diagnostics),
  ].join('\n');
}

function showBuilt({ path, definition, choices, schedule }: BuildAnswer): string {
  const { id } = definition as { id?: string };
  return [
    ...choices.map(({ step, node_id, why }) => `${visible(node_id)}: ${visible(step)}\n    ${visible(why)}`),
    ...(schedule
      ? [`schedule: oka graph schedule add ${id} "${schedule.cron}"   (${visible(schedule.why)})`]
      : []),
    path === undefined ? visible(JSON.stringify(definition, null, 2)) : `written to ${path}`,
    ...(path === undefined ? [] : [`run it with: oka graph run ${id}`]),
  ].join('\n');
}

function showPatch({ path, version, diff, kept, diagnostics }: PatchAnswer): string {
  return [
    ...diff.map(visible),
    ...showDiagnostics(diagnostics),
    `${path} is now version ${version}; the one before is kept in ${kept}`,
  ].join('\n');
}
