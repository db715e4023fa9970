import type { Command } from 'commander';
import type { Context } from '../context.ts';
import { isSilent, probeDaemon, type SilentDaemon } from '../daemon-link.ts';
import { describeSilent } from '../describe-silent-daemon.ts';
import { EXIT } from '../exit-codes.ts';
import { findUnreachable, placeOf, runHostInForeground, startHost, stopHost } from '../host-process.ts';
import type { Run } from '../run.ts';
import { showDaemon } from '../show-daemon.ts';
import { showNextFirings } from '../show-schedules.ts';

export function upCommand(program: Command, run: Run): void {
  program
    .command('up')
    .description('Start the daemon: runs schedules, agents and maintenance in the background')
    .option('--foreground', 'Run in the foreground and print events')
    .addHelpText('after', '\nExamples:\n  oka up\n  oka up --foreground\n  oka status\n  oka down')
    .action((options: { foreground?: boolean }) =>
      run(async (context) => {
        if (!options.foreground) return startDaemon(context);
        await runHostInForeground(context);
        return EXIT.ok;
      }),
    );
}

export function downCommand(program: Command, run: Run): void {
  program
    .command('down')
    .description('Stop the daemon; its runs can be resumed')
    .addHelpText('after', '\nExamples:\n  oka down')
    .action(() => run(stopDaemon));
}

export function statusCommand(program: Command, run: Run): void {
  program
    .command('status')
    .description('Show daemon, schedules, active runs and pending approvals')
    .addHelpText('after', '\nExamples:\n  oka status\n  oka status --json')
    .action(() => run(showStatus));
}

async function startDaemon(context: Context) {
  const answer = await startHost(context);
  context.printer.answer(answer, ({ pid, already }) =>
    already ? `Daemon already running: process ${pid}` : `Daemon started: process ${pid}`,
  );
  return EXIT.ok;
}

async function stopDaemon(context: Context) {
  const answer = await stopHost(context);
  context.printer.answer(answer, ({ stopped, pid }) => showStopped('Daemon', stopped, pid));
  return answer.stopped || answer.pid === undefined ? EXIT.ok : EXIT.failed;
}

export function showStopped(what: string, stopped: boolean, pid: number | undefined): string {
  if (pid === undefined) return `${what} is not running`;
  return stopped
    ? `${what} stopped: process ${pid}`
    : `Process ${pid} has not stopped yet. Check with: oka status`;
}

async function showStatus(context: Context) {
  const [found, api] = await Promise.all([probeDaemon(placeOf(context)), context.open()]);
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
      `${active.length} active ${active.length === 1 ? 'run' : 'runs'}`,
      waiting.length === 0
        ? 'No pending approvals'
        : `${waiting.length} pending ${waiting.length === 1 ? 'approval' : 'approvals'}: oka approvals list`,
    ].join('\n'),
  );
  return EXIT.ok;
}

function unreachableItem(found: SilentDaemon) {
  const { silent: state, pid } = found;
  return { state, ...(pid === undefined ? {} : { pid }), ...describeSilent(found) };
}

function showNoDaemon(context: Context, silent: SilentDaemon | undefined): string {
  if (silent !== undefined) {
    const { problem, next } = describeSilent(silent);
    return `✗ ${problem} ${next}`;
  }
  return findUnreachable(context) === undefined
    ? 'Daemon is not running. Start it with: oka up'
    : 'A daemon seems to run but cannot be reached. For the next step, run: oka down';
}
