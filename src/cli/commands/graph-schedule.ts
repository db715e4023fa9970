import { Argument, type Command, Option } from 'commander';
import {
  type FiredItem,
  type GraphApi,
  isOkaError,
  OkaError,
  type ScheduleItem,
  type ScheduleRequest,
} from '../../api/index.ts';
import { okaHome } from '../../config/index.ts';
import { startScheduler, stopScheduler } from '../background-schedules.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitOfError } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../finish-run.ts';
import { visible } from '../printer.ts';
import { readInput } from '../read-input.ts';
import type { Run } from '../run.ts';
import { showSchedules } from '../show-schedules.ts';

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
  addListCommand(schedule, run);
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
    .argument('<graph>', 'Path or id of a graph')
    .argument('[cron]', 'Cron expression (minute hour day month weekday) or @daily; not with --on-change')
    .option('--zone <zone>', 'Use this IANA time zone (default: the zone of this machine)')
    .addOption(
      new Option('--misfire <policy>', 'Handle missed firings: run none, the latest, or all').choices([
        'skip',
        'one',
        'all',
      ]),
    )
    .addOption(
      new Option('--overlap <policy>', 'Handle a firing while the previous run is active').choices([
        'skip',
        'queue',
        'allow',
      ]),
    )
    .addOption(
      new Option('--dst <policy>', 'Handle times that a clock change skips').choices(['run_after', 'skip']),
    )
    .option('--input <file>', 'Pass this JSON to each run; - reads standard input')
    .option('--on-change <path>', 'Fire when something below this path changes')
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
        context.printer.answer({ schedule: added }, (data) => showSchedules([data.schedule]));
        if ((await (await schedulesOf(context)).process()) === undefined)
          context.printer.message('It fires while the daemon runs. Start it with: oka up');
        return EXIT.ok;
      }),
    );
}

function requireOneTrigger(cron?: string, onChange?: string, zone?: string): void {
  if ((cron === undefined) === (onChange === undefined)) {
    throw new OkaError(
      'cli.usage',
      'Give either a cron expression, such as oka graph schedule add report "0 9 * * *", or --on-change <path>.',
    );
  }
  if (onChange !== undefined && zone !== undefined)
    throw new OkaError('cli.usage', '--zone does not apply to --on-change.');
}

function machineZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function addListCommand(schedule: Command, run: Run): void {
  schedule
    .command('list')
    .description('List schedules with their next three firings and last skipped one')
    .action(() =>
      run(async (context) => {
        const schedules = await (await schedulesOf(context)).list();
        context.printer.answer({ schedules }, (data) => showSchedules(data.schedules));
        return EXIT.ok;
      }),
    );
}

function addChangeCommands(schedule: Command, run: Run): void {
  const answer = (context: Context, item: ScheduleItem): ExitCode => {
    context.printer.answer({ schedule: item }, (data) => showSchedules([data.schedule]));
    return EXIT.ok;
  };
  schedule
    .command('on')
    .description('Enable a schedule')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => answer(context, await (await schedulesOf(context)).enable(id, context.by))),
    );
  schedule
    .command('off')
    .description('Disable a schedule')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => answer(context, await (await schedulesOf(context)).disable(id, context.by))),
    );
  schedule
    .command('delete')
    .description('Delete a schedule; its runs stay in the ledger')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => {
        await (await schedulesOf(context)).delete(id, context.by);
        context.printer.answer({ deleted: id }, ({ deleted }) => `deleted ${visible(deleted)}`);
        return EXIT.ok;
      }),
    );
}

function addFireCommands(schedule: Command, run: Run): void {
  schedule
    .command('trigger')
    .description('Fire a schedule now, even if it is off')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => {
        const answer = await (await schedulesOf(context)).trigger(id, context.by, PATIENCE_MS);
        return finishWithRun(context, answer);
      }),
    );
  schedule
    .command('tick')
    .description('Fire due schedules once, for use from cron')
    .option('--no-drive', 'Create the runs without executing them')
    .action((options: { drive: boolean }) =>
      run(async (context) => {
        const answer = await (await schedulesOf(context)).tick(options);
        context.printer.answer(answer, ({ fired, failures }) =>
          [
            ...(fired.length === 0 ? ['Nothing due'] : fired.map(showFired)),
            ...failures.map(({ schedule: id, message }) => `✗ ${id}: ${visible(message)}`),
          ].join('\n'),
        );
        return answer.failures.length === 0 ? EXIT.ok : EXIT.failed;
      }),
    );
}

function showFired({ firing, run }: FiredItem): string {
  return `fired ${firing}  run ${run}`;
}

function addBackgroundCommands(schedule: Command, run: Run): void {
  schedule
    .command('start')
    .description('Start a background process that runs schedules')
    .action(() =>
      run(async (context) => {
        const answer = await startScheduler(await context.open(), context.workspace);
        context.printer.answer(answer, ({ pid, already }) =>
          already ? `Scheduler already running: process ${pid}` : `Scheduler started: process ${pid}`,
        );
        return EXIT.ok;
      }),
    );
  schedule
    .command('stop')
    .description('Stop the background process; its runs can be resumed')
    .action(() =>
      run(async (context) => {
        const answer = await stopScheduler(await context.open(), {
          workspace: context.workspace,
          home: okaHome(),
        });
        context.printer.answer(answer, showStopped);
        return answer.stopped || answer.pid === undefined ? EXIT.ok : EXIT.failed;
      }),
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
