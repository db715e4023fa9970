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
import { startLoop, stopLoop } from '../background-schedules.ts';
import type { Context } from '../context.ts';
import { EXIT, type ExitCode, exitOfError } from '../exit-codes.ts';
import { finishWithRun, PATIENCE_MS } from '../go-on.ts';
import { visible } from '../printer.ts';
import { readInput } from '../read-input.ts';
import type { Run } from '../run.ts';
import { showSchedules } from '../show-schedules.ts';

/** The background process is gone within five seconds. */
const LAST_WORDS_MS = 4_000;
const TERMINATED = 143;
const SCHEDULE = new Argument('<schedule>', 'the id of a schedule');

/** Runs of graphs at times, or when files change. */
export function graphScheduleCommand(graph: Command, run: Run): void {
  const schedule = graph
    .command('schedule')
    .description('run graphs at times of the day, or when files change')
    .addHelpText(
      'after',
      '\nExamples:\n  oka graph schedule add report "30 8 * * MON-FRI" --zone Europe/Berlin\n  oka graph schedule add index --on-change docs\n  oka graph schedule list\n  oka up                       the daemon works on schedules, among other things\n  oka graph schedule start     a process that works on schedules alone',
    );
  addSchedule(schedule, run);
  listSchedules(schedule, run);
  changeSchedules(schedule, run);
  fireSchedules(schedule, run);
  workInBackground(schedule, run);
}

interface AddOptions extends Pick<ScheduleRequest, 'zone' | 'misfire' | 'overlap' | 'dst' | 'onChange'> {
  readonly input?: string;
}

async function schedulesOf(context: Context): Promise<GraphApi['schedules']> {
  return (await context.open()).graphs.schedules;
}

function addSchedule(schedule: Command, run: Run): void {
  schedule
    .command('add')
    .description('a new schedule; it counts from now on')
    .argument('<graph>', 'a path, or the id of a graph')
    .argument('[cron]', 'minute hour day month weekday, or @daily; not with --on-change')
    .option('--zone <zone>', 'the IANA zone that the times are meant in; by default that of this machine')
    .addOption(
      new Option(
        '--misfire <policy>',
        'what becomes of missed times: none, the latest, or all of them',
      ).choices(['skip', 'one', 'all']),
    )
    .addOption(
      new Option('--overlap <policy>', 'what to do while the run before has not ended').choices([
        'skip',
        'queue',
        'allow',
      ]),
    )
    .addOption(
      new Option('--dst <policy>', 'what becomes of a time that the clock jumps over').choices([
        'run_after',
        'skip',
      ]),
    )
    .option('--input <file>', 'JSON for each run; - reads standard input')
    .option('--on-change <path>', 'fire when something beneath this path changes')
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
          ...(cron === undefined ? {} : { cron, zone: zone ?? zoneOfMachine() }),
          ...(onChange === undefined ? {} : { onChange }),
          ...(input === undefined ? {} : { input: await readInput(input) }),
        });
        context.printer.answer({ schedule: added }, (data) => showSchedules([data.schedule]));
        if ((await (await schedulesOf(context)).process()) === undefined)
          context.printer.message('it fires while the daemon runs: oka up');
        return EXIT.ok;
      }),
    );
}

function requireOneTrigger(cron?: string, onChange?: string, zone?: string): void {
  if ((cron === undefined) === (onChange === undefined)) {
    throw new OkaError(
      'cli.usage',
      'say when: either by a cron expression, as in oka graph schedule add report "0 9 * * *", or with --on-change <path>.',
    );
  }
  if (onChange !== undefined && zone !== undefined)
    throw new OkaError('cli.usage', 'a schedule that fires on a change has no zone; leave out --zone.');
}

function zoneOfMachine(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

function listSchedules(schedule: Command, run: Run): void {
  schedule
    .command('list')
    .description('List schedules with their next three firings and what they skipped last')
    .action(() =>
      run(async (context) => {
        const schedules = await (await schedulesOf(context)).list();
        context.printer.answer({ schedules }, (data) => showSchedules(data.schedules));
        return EXIT.ok;
      }),
    );
}

function changeSchedules(schedule: Command, run: Run): void {
  const answer = (context: Context, item: ScheduleItem): ExitCode => {
    context.printer.answer({ schedule: item }, (data) => showSchedules([data.schedule]));
    return EXIT.ok;
  };
  schedule
    .command('on')
    .description('let a schedule fire again, from now on')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => answer(context, await (await schedulesOf(context)).enable(id, context.by))),
    );
  schedule
    .command('off')
    .description('keep a schedule from firing')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => answer(context, await (await schedulesOf(context)).disable(id, context.by))),
    );
  schedule
    .command('delete')
    .description('take a schedule away; what it did stays on record')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => {
        await (await schedulesOf(context)).delete(id, context.by);
        context.printer.answer({ deleted: id }, ({ deleted }) => `deleted ${visible(deleted)}`);
        return EXIT.ok;
      }),
    );
}

function fireSchedules(schedule: Command, run: Run): void {
  schedule
    .command('trigger')
    .description('fire once now, also when the schedule is off, and work on the run')
    .addArgument(SCHEDULE)
    .action((id: string) =>
      run(async (context) => {
        const answer = await (await schedulesOf(context)).trigger(id, context.by, PATIENCE_MS);
        return finishWithRun(context, answer);
      }),
    );
  schedule
    .command('tick')
    .description('fire what is due once, for a scheduler of your own such as cron')
    .option('--no-drive', 'only create the runs; something else works on them')
    .action((options: { drive: boolean }) =>
      run(async (context) => {
        const answer = await (await schedulesOf(context)).tick(options);
        context.printer.answer(answer, ({ fired, failures }) =>
          [
            ...(fired.length === 0 ? ['nothing was due'] : fired.map(showFired)),
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

function workInBackground(schedule: Command, run: Run): void {
  schedule
    .command('start')
    .description('fire and work in the background until stopped')
    .action(() =>
      run(async (context) => {
        const answer = await startLoop(await context.open(), context.workspace);
        context.printer.answer(answer, ({ pid, already }) =>
          already
            ? `process ${pid} works on the schedules already`
            : `process ${pid} works on the schedules now`,
        );
        return EXIT.ok;
      }),
    );
  schedule
    .command('stop')
    .description('stop what start has started; runs under way can be resumed')
    .action(() =>
      run(async (context) => {
        const answer = await stopLoop(await context.open(), {
          workspace: context.workspace,
          home: okaHome(),
        });
        context.printer.answer(answer, showStopped);
        return answer.stopped || answer.pid === undefined ? EXIT.ok : EXIT.failed;
      }),
    );
  schedule
    .command('loop', { hidden: true })
    .description('what start runs in the background')
    .option(
      '--background',
      'end in time when stopped, and tell whoever started this process why it could not begin',
    )
    .action((options: { background?: boolean }) =>
      run(async (context) => {
        if (options.background) endInTime(context.interrupted);
        try {
          const print = (fired: FiredItem): void => void context.printer.line(showFired(fired));
          await (await schedulesOf(context)).loop(context.interrupted, print);
        } catch (error) {
          if (!options.background || !process.connected || !isOkaError(error)) throw error;
          // Whoever started it says what went wrong.
          process.send?.(error.toJSON());
          return exitOfError(error.code);
        }
        return EXIT.ok;
      }),
    );
}

/** What cannot be let go of in time is taken up by another process, as after a crash. */
function endInTime(interrupted: AbortSignal): void {
  interrupted.addEventListener('abort', () => {
    setTimeout(() => process.exit(TERMINATED), LAST_WORDS_MS).unref();
  });
}

function showStopped({ stopped, pid }: { readonly stopped: boolean; readonly pid?: number }): string {
  if (stopped) return `process ${pid} has stopped`;
  if (pid === undefined) return 'nothing works on the schedules in the background';
  return `process ${pid} was asked to stop and goes on after 5 s; if it must end: kill -9 ${pid}. Its runs can be resumed.`;
}
