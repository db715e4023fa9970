import type { Command } from 'commander';
import type { DaemonStatus } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { isOfThisBuild, lookForDaemon } from '../daemon-link.ts';
import { EXIT } from '../exit-codes.ts';
import { showTime, table } from '../format.ts';
import { findHidden, placeOf, startHost, stayWithHost, stopHost } from '../host-process.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';

/** Starting, stopping and looking at the daemon of a workspace. */
export function upCommand(program: Command, run: Run): void {
  program
    .command('up')
    .description('start the daemon: schedules, agents and maintenance go on without a terminal')
    .option('--foreground', 'stay, and print what it does')
    .addHelpText('after', '\nExamples:\n  oka up\n  oka up --foreground\n  oka status\n  oka down')
    .action((options: { foreground?: boolean }) =>
      run(async (context) => {
        if (!options.foreground) return goUp(context);
        await stayWithHost(context);
        return EXIT.ok;
      }),
    );
}

export function downCommand(program: Command, run: Run): void {
  program
    .command('down')
    .description('stop the daemon; what it was doing can be resumed')
    .addHelpText('after', '\nExamples:\n  oka down')
    .action(() => run(goDown));
}

export function statusCommand(program: Command, run: Run): void {
  program
    .command('status')
    .description('what runs here, and what waits for you')
    .addHelpText('after', '\nExamples:\n  oka status\n  oka status --json')
    .action(() => run(showStatus));
}

async function goUp(context: Context) {
  const answer = await startHost(context);
  context.printer.answer(answer, ({ pid, already }) =>
    already ? `the daemon runs already: process ${pid}` : `the daemon is up: process ${pid}`,
  );
  return EXIT.ok;
}

async function goDown(context: Context) {
  const answer = await stopHost(context);
  context.printer.answer(answer, ({ stopped, pid }) => showStopped('the daemon', stopped, pid));
  return answer.stopped || answer.pid === undefined ? EXIT.ok : EXIT.failed;
}

/** What became of a process that was to stop. */
export function showStopped(what: string, stopped: boolean, pid: number | undefined): string {
  if (pid === undefined) return `${what} does not run here`;
  return stopped
    ? `${what} has stopped: process ${pid}`
    : `process ${pid} has not stopped yet; ask again with: oka status`;
}

async function showStatus(context: Context) {
  const found = await lookForDaemon(placeOf(context));
  const running = found === 'silent' ? undefined : found;
  running?.link.close();
  const api = await context.open();
  const waiting = await api.approvals.list({ status: 'pending' });
  const active = await api.runs.list({ status: 'running', limit: 100 });
  const answer = {
    daemon: running?.status ?? null,
    approvals: waiting.length,
    running: active.length,
  };
  context.printer.answer(answer, () =>
    [
      running === undefined ? showNoDaemon(context, found === 'silent') : showDaemon(running.status),
      `${active.length} ${active.length === 1 ? 'run is' : 'runs are'} under way`,
      waiting.length === 0
        ? 'nothing waits for you'
        : `${waiting.length} ${waiting.length === 1 ? 'approval waits' : 'approvals wait'} for you: oka approvals list`,
    ].join('\n'),
  );
  return EXIT.ok;
}

function showNoDaemon(context: Context, isSilent: boolean): string {
  if (!isSilent && findHidden(context) === undefined) return 'no daemon runs here; start one with: oka up';
  return isSilent
    ? 'a daemon runs here and does not answer; oka down tells what to do'
    : 'a daemon seems to run here and cannot be reached; oka down tells what to do';
}

function showDaemon(status: DaemonStatus): string {
  // What has ended without trouble had nothing to do, as replication that is not configured.
  const works = status.works
    .filter(({ status: state, trouble }) => state !== 'stopped' || trouble !== undefined)
    .map(({ name, status: state, trouble }) => [name, state, visible(trouble ?? '')]);
  return [
    `the daemon runs: process ${status.pid}, since ${showTime(status.startedAt)}, ${status.calls} ${status.calls === 1 ? 'call' : 'calls'} under way`,
    ...(isOfThisBuild(status)
      ? []
      : [`it is of another build of Oka (${status.version}); restart it with: oka down, then oka up`]),
    `its log: ${status.log}`,
    table(['work', 'status', 'trouble'], works),
  ].join('\n');
}
