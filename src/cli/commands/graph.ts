import { Argument, type Command } from 'commander';
import type {
  BuildAnswer,
  Diagnostic,
  GraphApi,
  GraphListItem,
  GuaranteeMode,
  Json,
  PatchAnswer,
  PictureFormat,
  ReplayMode,
  RunAnswer,
  ShowGraphAnswer,
  ValidateAnswer,
} from '../../api/index.ts';
import {
  type Context,
  choice,
  collect,
  keyOption,
  parseCount,
  parseJsonArgument,
  parseJsonObject,
  parsePairs,
  SIMULATE_HELP,
  startKeyOf,
  usageProblem,
} from '../context.ts';
import { EXIT, type ExitCode, exitOfCheck } from '../exit-codes.ts';
import { graphArgument } from '../find-workspace.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { showReplay, showRunList, table } from '../format.ts';
import { visible } from '../printer.ts';
import { readInput } from '../read-input.ts';
import { answerWith, type Run } from '../run.ts';
import { eventsOf } from '../watch-graph.ts';
import { addGalleryCommands } from './graph-gallery.ts';
import { graphScheduleCommand } from './graph-schedule.ts';
import { graphStateCommand } from './graph-state.ts';

const GRAPH = new Argument('<graph>', 'Path, or id of a graph in .oka/graphs').argParser(graphArgument);
const RUN = new Argument('<run>', 'Run id');
const MODE = choice('--mode <mode>', 'Override the mode of the file', 'strict', 'bounded', 'flex');

interface WatchOptions {
  readonly watch?: boolean;
  readonly streamJson?: boolean;
}

export function graphCommand(program: Command, run: Run): void {
  const graph = program
    .command('graph')
    .description('Create, check, run and schedule automations')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph gallery\n  oka graph new brief --from nightly-brief\n  oka graph build "search for TODO and write the matches to TODOS.md"\n  oka graph validate brief\n  oka graph run brief --watch\n  oka graph render brief --format ascii\n  oka graph schedule add brief "0 7 * * 1-5" --zone Europe/Berlin',
    );
  addGalleryCommands(graph, run);
  addReadCommands(graph, run);
  addChangeCommands(graph, run);
  addRunCommands(graph, run);
  graphStateCommand(graph, run);
  graphScheduleCommand(graph, run);
}

function addReadCommands(graph: Command, run: Run): void {
  graph
    .command('list')
    .description('List graphs')
    .action(() => answerWith(run, async (api) => ({ graphs: await api.graphs.list() }), showGraphs));
  graph
    .command('validate')
    .description('Check a graph and list every problem with its location and a fix')
    .addArgument(GRAPH)
    .addOption(MODE)
    .action((name: string, options: { mode?: GuaranteeMode }) =>
      answerWith(run, (api) => api.graphs.validate(name, options.mode), showValidation, exitOfCheck),
    );
  graph
    .command('show')
    .description('Show the definition of a graph')
    .addArgument(GRAPH)
    .action((name: string) => answerWith(run, (api) => api.graphs.show(name), showGraph));
  graph
    .command('render')
    .description('Draw a graph or a run of it')
    .argument('[graph]', 'Path, or id of a graph in .oka/graphs', graphArgument)
    .addOption(
      choice('--format <format>', 'Use this format', 'mermaid', 'dot', 'ascii', 'svg').default('ascii'),
    )
    .option('--run <run>', 'Show the status of each node in this run')
    .option('--plain', 'Use only ASCII characters in the ascii format')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph render brief.json\n  oka graph render brief.json --format svg > brief.svg\n  oka graph render --run 01j…',
    )
    .action((name: string | undefined, options: { format: PictureFormat; run?: string; plain?: boolean }) =>
      answerWith(
        run,
        async ({ graphs }) => {
          if (name === undefined && options.run === undefined)
            throw usageProblem('Give a graph, or a run with --run.');
          return { format: options.format, picture: await graphs.render(name, options) };
        },
        ({ picture }) => picture,
      ),
    );
  graph
    .command('schema')
    .description('Print the JSON Schema of graph files')
    .action(() =>
      answerWith(
        run,
        async (api) => ({ schema: await api.graphs.schema() }),
        (data) => JSON.stringify(data.schema, null, 2),
      ),
    );
  graph
    .command('runs')
    .description('List the newest runs of a graph')
    .addArgument(GRAPH)
    .argument('[limit]', 'Show at most this many', parseCount, 20)
    .action((name: string, limit: number) =>
      answerWith(
        run,
        async (api, { printer }) => ({ runs: await api.graphs.runs(name, limit, printer.json) }),
        showRunList,
      ),
    );
}

function addChangeCommands(graph: Command, run: Run): void {
  graph
    .command('build')
    .description('Create a graph from a description')
    .argument('<intent>', 'Description in plain words')
    .option('--id <id>', 'Set the id (default: derived from the description)')
    .option('--dry-run', 'Print the graph without writing it')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph build "search for TODO and write the matches to TODOS.md"\n  oka graph build \'every weekday at 7 search for "TODO" in src and save the matches to todo.md\' --dry-run',
    )
    .action((intent: string, options: { id?: string; dryRun?: boolean }) =>
      answerWith(run, (api) => api.graphs.build(intent, { dryRun: false, ...options }), showBuilt),
    );
  graph
    .command('from-run')
    .description('Create a graph from a finished run')
    .addArgument(RUN)
    .option('--id <id>', 'Set the id')
    .option(
      '--keep <value...>',
      'Keep values as recorded whose source is unknown, such as files_write.content',
    )
    .option('--dry-run', 'Print the graph without writing it')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph from-run 01j… --dry-run\n  oka graph from-run 01j… --id weekly_brief',
    )
    .action((source: string, options: { id?: string; dryRun?: boolean; keep?: string[] }) =>
      answerWith(run, (api) => api.graphs.fromRun(source, { dryRun: false, ...options }), showBuilt),
    );
  graph
    .command('patch')
    .description('Change one field of a node and validate the result')
    .addArgument(GRAPH)
    .argument('<node>', 'Node id')
    .argument('<field>', 'Field, such as next or args.path')
    .argument('<json>', 'New value as JSON')
    .addHelpText('after', '\nExamples:\n  oka graph patch brief write args.path \'"NEW.md"\'')
    .action((name: string, node: string, field: string, json: string) =>
      answerWith(
        run,
        (api) => api.graphs.patch(name, node, field, parseJsonArgument(json, 'the value')),
        showPatch,
      ),
    );
}

function addRunCommands(graph: Command, run: Run): void {
  graph
    .command('run')
    .description('Run a graph until it completes, fails or needs you')
    .addArgument(GRAPH)
    .addOption(MODE)
    .option('--input <file>', 'Pass this JSON file as input; - reads standard input')
    .option('--vars <json>', 'Set variables for {{vars.name}} in templates', '{}')
    .option('--simulate', SIMULATE_HELP)
    .option('--dry-run', 'Same as --simulate')
    .option('--budget <name=amount>', 'Set a limit, such as steps=50; repeatable', collect, [])
    .option('--watch', 'Show the nodes live')
    .option('--stream-json', 'Print one event per line, then the envelope')
    .addOption(keyOption())
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
          key?: string;
        },
      ) =>
        run(async (context) => {
          const request = {
            graph: name,
            input: options.input === undefined ? null : await readInput(options.input),
            vars: parseJsonObject(options.vars, '--vars'),
            budgets: parsePairs(options.budget, '--budget'),
            simulate: options.simulate ?? options.dryRun ?? false,
            key: startKeyOf(options),
            ...(options.mode === undefined ? {} : { mode: options.mode }),
          };
          const { graphs } = await context.open();
          const definition = async () => (await graphs.show(name)).definition;
          return drive(context, options, (drive) => graphs.run({ ...request, ...drive }), { definition });
        }),
    );
  graph
    .command('replay')
    .description('Run again with the recorded input and the graph version of the run')
    .addArgument(RUN)
    .addOption(
      choice(
        '--as <mode>',
        'Print or compare the recorded run instead of running it',
        'narrative',
        'decision',
        'full',
      ),
    )
    .option('--watch', 'Show the nodes live')
    .option('--stream-json', 'Print one event per line, then the envelope')
    .addOption(keyOption())
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph replay 01j… --watch\n  oka graph replay 01j… --as decision',
    )
    .action((id: string, options: WatchOptions & { as?: ReplayMode; key?: string }) =>
      run(async (context) => {
        const { graphs, runs } = await context.open();
        const key = startKeyOf(options);
        if (options.as === undefined)
          return drive(context, options, (drive) => graphs.replay(id, { ...drive, key }));
        context.printer.answer(await runs.replay(id, options.as), showReplay);
        return EXIT.ok;
      }),
    );
  addResumeCommand(graph, run);
}

function addResumeCommand(graph: Command, run: Run): void {
  graph
    .command('resume')
    .description('Resume a run with the graph version it started with')
    .addArgument(RUN)
    .option('--add-budget <name=amount>', 'Raise a limit first; repeatable', collect, [])
    .option('--repin', 'Continue with the current graph; prints the differences first')
    .option('--watch', 'Show the nodes live')
    .option('--stream-json', 'Print one event per line, then the envelope')
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
        const { repin = false } = options;
        const addBudgets = parsePairs(options.addBudget, '--add-budget');
        const resume: Start = (drive) =>
          api.runs.resume({ run: id, by: context.by, repin, addBudgets, ...drive });
        return drive(context, options, resume, { resumed: id });
      }),
    );
}

type Start = (drive: Parameters<GraphApi['replay']>[1]) => Promise<RunAnswer>;

/** Runs a graph with the selected output and prints the run. */
async function drive(
  context: Context,
  options: WatchOptions,
  start: Start,
  about: { readonly definition?: () => Promise<Json>; readonly resumed?: string } = {},
): Promise<ExitCode> {
  const view = await eventsOf(context, options, about.definition, about.resumed);
  const answer = await start({
    patienceMs: PATIENCE_MS,
    signal: context.interrupted,
    onEvent: view.onEvent,
    ...(view.onActivity === undefined ? {} : { onActivity: view.onActivity }),
  }).finally(() => view.end());
  return finishWithRun(context, answer);
}

function showGraphs({ graphs }: { readonly graphs: readonly GraphListItem[] }): string {
  if (graphs.length === 0) return 'No graphs yet. Create one with: oka graph build "<description>"';
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
    path === undefined ? visible(JSON.stringify(definition, null, 2)) : `Wrote ${path}`,
    ...(path === undefined ? [] : [`Run it with: oka graph run ${id}`]),
  ].join('\n');
}

function showPatch({ path, version, diff, kept, diagnostics }: PatchAnswer): string {
  return [
    ...diff.map(visible),
    ...showDiagnostics(diagnostics),
    `${path} is now version ${version}. The previous version is in ${kept}`,
  ].join('\n');
}
