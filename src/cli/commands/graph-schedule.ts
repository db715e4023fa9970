import { Argument, type Command } from 'commander';
import { type FiredItem, type GraphApi, isOkaError, type ScheduleRequest } from '../../api/index.ts';
import { okaHome } from '../../config/index.ts';
import { startScheduler, stopScheduler } from '../background-schedules.ts';
import { type Context, choice, keyOption, usageProblem } from '../context.ts';
import { EXIT, exitOfError } from '../exit-codes.ts';
import { graphArgument, pathArgument } from '../find-workspace.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { showRunId } from '../format.ts';
import { visible } from '../printer.ts';
import { readInput } from '../read-input.ts';
import { answerWith, type Run } from '../run.ts';
import { showSchedule, showSchedules } from '../show-schedules.ts';
import { exitOfStop, showStarted } from './daemon.ts';

/** Below the five seconds that `stop` waits. */
const EXIT_TIMEOUT_MS = 4_000;
const TERMINATED = 143;
const SCHEDULE = new Argument('<schedule>', 'Schedule id');

export function graphScheduleCommand(graph: Command, run: Run): void {
  const schedule = graph
    .command('schedule')
    .description('Run graphs at set times or when files change')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph schedule add report "30 8 * * MON-FRI" --zone Europe/Berlin\n  oka graph schedule add index --on-change docs\n  oka graph schedule list\n  oka up                       runs schedules, agents and maintenance\n  oka graph schedule start     runs schedules only',
    );
  addAddCommand(schedule, run);
  addChangeCommands(schedule, run);
  addFireCommands(schedule, run);
  addBackgroundCommands(schedule, run);
}

interface AddOptions extends Pick<ScheduleRequest, 'zone' | 'misfire' | 'overlap' | 'dst' | 'onChange'> {
  readonly input?: string;
}

async function schedulesOf(context: Context): Promise<GraphApi['schedules']> {
  return (await context.open()).graphs.schedules;
}

function addAddCommand(schedule: Command, run: Run): void {
  schedule
    .command('add')
    .description('Create a schedule')
    .argument('<graph>', 'Path or id of a graph', graphArgument)
    .argument('[cron]', 'Cron expression (minute hour day month weekday) or @daily; not with --on-change')
    .option('--zone <zone>', 'Use this IANA time zone (default: the zone of this machine)')
    .addOption(
      choice(
        '--misfire <policy>',
        'Handle missed firings: run none, the latest, or all',
        'skip',
        'one',
        'all',
      ),
    )
    .addOption(
      choice(
        '--overlap <policy>',
        'Handle a firing while the previous run is active',
        'skip',
        'queue',
        'allow',
      ),
    )
    .addOption(choice('--dst <policy>', 'Handle times that a clock change skips', 'run_after', 'skip'))
    .option('--input <file>', 'Pass this JSON to each run; - reads standard input')
    .option('--on-change <path>', 'Fire when something below this path changes', pathArgument)
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph schedule add report "30 8 * * MON-FRI" --zone Europe/Berlin\n  oka graph schedule add report @daily --misfire one --overlap skip\n  oka graph schedule add index --on-change docs',
    )
    .action((graph: string, cron: string | undefined, options: AddOptions) =>
      run(async (context) => {
        const { zone, input, onChange, ...policies } = options;
        requireOneTrigger(cron, onChange, zone);
        const added = await (await schedulesOf(context)).add({
          graph,
          by: context.by,
          ...policies,
          ...(cron === undefined ? {} : { cron, zone: zone ?? machineZone() }),
          ...(onChange === undefined ? {} : { onChange }),
          ...(input === undefined ? {} : { input: await readInput(input) }),
        });
        context.printer.answer({ schedule: added }, showSchedule);
        if ((await (await schedulesOf(context)).process()) === undefined)
          context.printer.message('It fires while the daemon runs. Start it with: oka up');
      }),
    );
}

function requireOneTrigger(cron?: string, onChange?: string, zone?: string): void {
  if ((cron === undefined) === (onChange === undefined)) {
    throw usageProblem(
      'Give either a cron expression, such as oka graph schedule add report "0 9 * * *", or --on-change <path>.',
    );
  }
  if (onChange !== undefined && zone !== undefined)
    throw usageProblem('--zone does not apply to --on-change.');
}

function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function addChangeCommands(schedule: Command, run: Run): void {
  schedule
    .command('list')
    .description('List schedules with their next three firings and last skipped one')
    .action(() =>
      answerWith(run, async ({ graphs }) => ({ schedules: await graphs.schedules.list() }), showSchedules),
    );
  for (const [name, method, description] of [
    ['on', 'enable', 'Enable a schedule'],
    ['off', 'disable', 'Disable a schedule'],
  ] as const)
    schedule
      .command(name)
      .description(description)
      .addArgument(SCHEDULE)
      .action((id: string) =>
        answerWith(
          run,
          async ({ graphs }, { by }) => ({ schedule: await graphs.schedules[method](id, by) }),
          showSchedule,
        ),
      );
  schedule
    .command('delete')
    .description('Delete a schedule; its runs stay in the ledger')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      answerWith(
        run,
        ({ graphs }, { by }) => graphs.schedules.delete(id, by).then(() => ({ deleted: id })),
        ({ deleted }) => `deleted ${visible(deleted)}`,
      ),
    );
}

function addFireCommands(schedule: Command, run: Run): void {
  schedule
    .command('trigger')
    .description('Fire a schedule now, even if it is off')
    .addArgument(SCHEDULE)
    .addOption(keyOption())
    .action((id: string, { key }: { key?: string }) =>
      run(async (context) => {
        const answer = await (await schedulesOf(context)).trigger(id, context.by, PATIENCE_MS, key);
        return finishWithRun(context, answer);
      }),
    );
  schedule
    .command('tick')
    .description('Fire due schedules once, for use from cron')
    .option('--no-drive', 'Create the runs without executing them')
    .action((options: { drive: boolean }) =>
      answerWith(
        run,
        (api) => api.graphs.schedules.tick(options),
        ({ fired, failures }) =>
          [
            ...(fired.length === 0 ? ['Nothing due'] : fired.map(showFired)),
            ...failures.map(({ schedule: id, message }) => `✗ ${id}: ${visible(message)}`),
          ].join('\n'),
        ({ failures }) => (failures.length === 0 ? EXIT.ok : EXIT.failed),
      ),
    );
}

function showFired({ firing, run }: FiredItem): string {
  return `fired ${firing}  run ${showRunId(run)}`;
}

function addBackgroundCommands(schedule: Command, run: Run): void {
  schedule
    .command('start')
    .description('Start a background process that runs schedules')
    .action(() =>
      answerWith(
        run,
        (api, { workspace }) => startScheduler(api, workspace),
        (started) => showStarted('Scheduler', started),
      ),
    );
  schedule
    .command('stop')
    .description('Stop the background process; its runs can be resumed')
    .action(() =>
      answerWith(
        run,
        (api, { workspace }) => stopScheduler(api, { workspace, home: okaHome() }),
        showStopped,
        exitOfStop,
      ),
    );
  schedule
    .command('loop', { hidden: true })
    .description('Run schedules in this process')
    .option('--background', 'Exit promptly on a signal and report start errors to the parent process')
    .action((options: { background?: boolean }) =>
      run(async (context) => {
        if (options.background) exitOnTimeout(context.interrupted);
        try {
          const print = (fired: FiredItem): void => void context.printer.line(showFired(fired));
          await (await schedulesOf(context)).loop(context.interrupted, print);
        } catch (error) {
          if (!options.background || !process.connected || !isOkaError(error)) throw error;
          // The parent process prints the error.
          process.send?.(error.toJSON());
          return exitOfError(error.code);
        }
        return EXIT.ok;
      }),
    );
}

/** Another process takes over runs that were not released in time, as after a crash. */
function exitOnTimeout(interrupted: AbortSignal): void {
  interrupted.addEventListener('abort', () => {
    setTimeout(() => process.exit(TERMINATED), EXIT_TIMEOUT_MS).unref();
  });
}

function showStopped({ stopped, pid }: { readonly stopped: boolean; readonly pid?: number }): string {
  if (stopped) return `Scheduler stopped: process ${pid}`;
  if (pid === undefined) return 'Scheduler is not running';
  return `Process ${pid} did not stop within 5 s. To end it: kill -9 ${pid}. Its runs can be resumed.`;
}
