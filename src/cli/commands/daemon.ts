import type { Command } from 'commander';
import type { DaemonStatus, DaemonWorker } from '../../api/index.ts';
import type { Context } from '../context.ts';
import { describeSilent, isOfThisBuild, isSilent, probeDaemon, type SilentDaemon } from '../daemon-link.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { showTime, table } from '../format.ts';
import { findUnreachable, placeOf, runHostInForeground, startHost, stopHost } from '../host-process.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { showNextFirings } from '../show-schedules.ts';

export function upCommand(program: Command, run: Run): void {
  program
    .command('up')
    .description('Start the daemon: runs schedules, agents and maintenance in the background')
    .option('--foreground', 'Run in the foreground and print events')
    .addHelpText('after', '\nExamples:\n  oka up\n  oka up --foreground\n  oka status\n  oka down')
    .action((options: { foreground?: boolean }) =>
      run((context) => (options.foreground ? runHostInForeground(context) : startDaemon(context))),
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

async function startDaemon(context: Context): Promise<void> {
  context.printer.answer(await startHost(context), (started) => showStarted('Daemon', started));
}

async function stopDaemon(context: Context) {
  const answer = await stopHost(context);
  context.printer.answer(answer, ({ stopped, pid }) => showStopped('Daemon', stopped, pid));
  return exitOfStop(answer);
}

export function exitOfStop({ stopped, pid }: { readonly stopped: boolean; readonly pid?: number }): ExitCode {
  return stopped || pid === undefined ? EXIT.ok : EXIT.failed;
}

export function showStarted(what: string, { pid, already }: { pid: number; already: boolean }): string {
  return already ? `${what} already running: process ${pid}` : `${what} started: process ${pid}`;
}

export function showStopped(what: string, stopped: boolean, pid: number | undefined): string {
  if (pid === undefined) return `${what} is not running`;
  return stopped
    ? `${what} stopped: process ${pid}`
    : `Process ${pid} has not stopped yet. Check with: oka status`;
}

async function showStatus(context: Context): Promise<void> {
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
}

function showDaemon(status: DaemonStatus): string {
  // A worker that stopped without an error is not configured, such as replication.
  const workers = status.workers
    .filter(({ status: state, lastError }) => state !== 'stopped' || lastError !== undefined)
    .map((worker) => [worker.name, showState(worker), showAt(worker.lastSuccessAt), showError(worker)]);
  return [
    `Daemon running: process ${status.pid}, since ${showTime(status.startedAt)}, ${status.calls} active ${status.calls === 1 ? 'call' : 'calls'}`,
    ...(isOfThisBuild(status)
      ? []
      : [`It runs another build of Oka (${status.version}). Restart it: oka down, then oka up`]),
    `Log: ${status.log}`,
    table(['worker', 'status', 'last success', 'last error'], workers),
    ...status.warnings.map(
      ({ message, since, count }) => `! warning since ${showTime(since)}${times(count)}: ${visible(message)}`,
    ),
  ].join('\n');
}

function showState({ status }: DaemonWorker): string {
  return status === 'failing' ? '✗ failing' : status;
}

export function showError({ lastError, nextTryAt }: DaemonWorker): string {
  if (lastError === undefined) return '';
  const { message, code, since, count, recoveredAt } = lastError;
  const what = visible(`${message} (${code})`);
  if (recoveredAt !== undefined) return `recovered ${showTime(recoveredAt)}: ${what}`;
  const next = nextTryAt === undefined ? '' : `, next try ${showTime(nextTryAt)}`;
  return `since ${showTime(since)}${times(count)}${next}: ${what}`;
}

function times(count: number): string {
  return count === 1 ? '' : `, ${count} times`;
}

function showAt(at: number | undefined): string {
  return at === undefined ? 'not yet' : showTime(at);
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
