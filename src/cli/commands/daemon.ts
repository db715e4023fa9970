import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { isSilent, lookForDaemon, type SilentDaemon } from '../daemon-link.ts';
import { EXIT } from '../exit-codes.ts';
import { findHidden, placeOf, startHost, stayWithHost, stopHost } from '../host-process.ts';
import type { Run } from '../run.ts';
import { showDaemon } from '../show-daemon.ts';
import { showNextFirings } from '../show-schedules.ts';
import { describeSilent } from '../silent-daemon.ts';

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
  const [found, api] = await Promise.all([lookForDaemon(placeOf(context)), context.open()]);
  const silent = isSilent(found) ? found : undefined;
  const running = isSilent(found) ? undefined : found;
  running?.link.close();
  const waiting = await api.approvals.list({ status: 'pending' });
  const active = await api.runs.list({ status: 'running', limit: 100 });
  const schedules = (await api.graphs.schedules.list()).filter(({ enabled }) => enabled);
  const answer = {
    daemon: running?.status ?? null,
    ...(silent === undefined ? {} : { unreachable: unreachableItem(silent) }),
    approvals: waiting.length,
    running: active.length,
    schedules: schedules.map(({ id, graph, next, lastSkipped, problem }) => ({
      id,
      graph,
      nextAt: next[0] ?? null,
      ...(lastSkipped === undefined ? {} : { lastSkipped }),
      ...(problem === undefined ? {} : { problem }),
    })),
  };
  context.printer.answer(answer, () =>
    [
      running === undefined ? showNoDaemon(context, silent) : showDaemon(running.status),
      ...(schedules.length === 0 ? [] : [showNextFirings(schedules)]),
      `${active.length} ${active.length === 1 ? 'run is' : 'runs are'} under way`,
      waiting.length === 0
        ? 'nothing waits for you'
        : `${waiting.length} ${waiting.length === 1 ? 'approval waits' : 'approvals wait'} for you: oka approvals list`,
    ].join('\n'),
  );
  return EXIT.ok;
}

/** A daemon that does not answer, for scripts. */
function unreachableItem(found: SilentDaemon) {
  const { silent: state, pid } = found;
  return { state, ...(pid === undefined ? {} : { pid }), ...describeSilent(found) };
}

function showNoDaemon(context: Context, silent: SilentDaemon | undefined): string {
  if (silent !== undefined) {
    const { problem, next } = describeSilent(silent);
    return `✗ ${problem} ${next}`;
  }
  return findHidden(context) === undefined
    ? 'no daemon runs here; start one with: oka up'
    : 'a daemon seems to run here and cannot be reached; oka down tells what to do';
}
