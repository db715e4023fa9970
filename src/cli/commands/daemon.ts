import { basename } from 'node:path';
import type { Command } from 'commander';
import {
  type DaemonWorker,
  type OkaApi,
  type RunListItem,
  remindersIn,
  systemClock,
} from '../../api/index.ts';
import type { Context } from '../context.ts';
import { describeSilent, isSilent, probeDaemon, requestWebLink, type SilentDaemon } from '../daemon-link.ts';
import { EXIT, type ExitCode } from '../exit-codes.ts';
import { showTime } from '../format.ts';
import { findUnreachable, placeOf, runHostInForeground, startHost, stopHost } from '../host-process.ts';
import { visible } from '../printer.ts';
import type { Run } from '../run.ts';
import { type AgentState, showStatus } from '../show-status.ts';
import { showLink } from './web.ts';

/** Conversations in which agents may be answering. */
const MAX_LOOKED_AT = 20;

export function upCommand(program: Command, run: Run): void {
  program
    .command('up')
    .description('Start the daemon: runs schedules, agents and maintenance in the background')
    .option('--foreground', 'Run in the foreground and print events')
    .addHelpText('after', '\nExamples:\n  oka up\n  oka up --foreground\n  oka web\n  oka status\n  oka down')
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
    .description('Show the daemon, runs, approvals, schedules, agents and problems')
    .addHelpText('after', '\nExamples:\n  oka status\n  oka status --json')
    .action(() => run(statusOf));
}

async function startDaemon(context: Context): Promise<void> {
  const started = await startHost(context);
  // A daemon without a web server says why in its status.
  const link = await requestWebLink(placeOf(context)).catch(() => undefined);
  const web = link === undefined ? [] : [`Web app: ${showLink(link.url)}`];
  context.printer.answer(started, () => [showStarted('Daemon', started), ...web].join('\n'));
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

const OPEN: RunListItem['status'][] = ['pending', 'running', 'interrupted', 'waiting'];

function isForPerson(what: string | undefined): boolean {
  return what === 'approval' || what === 'answer';
}

async function statusOf(context: Context): Promise<void> {
  const [found, api] = await Promise.all([probeDaemon(placeOf(context)), context.open()]);
  const silent = isSilent(found) ? found : undefined;
  const running = isSilent(found) ? undefined : found;
  running?.link.close();
  const waiting = await api.approvals.list({ status: 'pending' });
  const { items: open } = await api.runs.page({ status: OPEN, rootsOnly: true, limit: 100 });
  const active = open.filter(({ status }) => status === 'running');
  const interrupted = open.filter(({ status }) => status === 'interrupted' || status === 'pending');
  const parked = open.filter(
    ({ status, waitingFor }) => status === 'waiting' && !isForPerson(waitingFor?.what),
  );
  const schedules = (await api.graphs.schedules.list()).filter(({ enabled }) => enabled);
  const agents = await agentsOf(api);
  const cluster = await api.workers();
  const answer = {
    daemon: running?.status ?? null,
    ...(silent === undefined ? {} : { unreachable: unreachableItem(silent) }),
    approvals: waiting.length,
    running: active.length,
    waiting: parked,
    interrupted,
    agents,
    workers: cluster.workers,
    ...(cluster.problem === undefined ? {} : { clusterProblem: cluster.problem }),
    schedules: schedules.map(({ id, graph, next, lastSkipped, problem }) => ({
      id,
      graph,
      nextAt: next[0] ?? null,
      ...(lastSkipped === undefined ? {} : { lastSkipped }),
      ...(problem === undefined ? {} : { problem }),
    })),
    reminders: remindersIn(schedules, systemClock.now()),
  };
  const { printer, workspace } = context;
  const facts = {
    folder: basename(workspace),
    now: systemClock.now(),
    running: active,
    waiting,
    parked,
    interrupted,
    schedules,
  };
  printer.answer(answer, () =>
    showStatus(
      {
        ...facts,
        daemon: running?.status,
        noDaemon: running === undefined ? showNoDaemon(context, silent) : undefined,
        agents,
        cluster,
      },
      printer.dataColors,
    ),
  );
}

/** The agents, the conversations in which they answer now, and their own processes. */
async function agentsOf(api: OkaApi): Promise<readonly AgentState[]> {
  const [agents, conversations] = await Promise.all([api.agents.list(), api.chat.list()]);
  const answering = new Map<string, Omit<AgentState, 'name'>>();
  for (const { name } of conversations.filter(({ open }) => open > 0).slice(0, MAX_LOOKED_AT))
    for (const { agent, status, waiting } of await api.chat.trace(name))
      if (status === 'claimed')
        answering.set(agent, { conversation: name, ...(waiting && { waitsUntil: waiting.until }) });
  return agents.map(({ name, process: own }) => ({
    name,
    ...answering.get(name),
    ...(own === undefined ? {} : { pid: own.pid }),
  }));
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
    ? 'daemon not running; start it with: oka up'
    : 'a daemon seems to run but cannot be reached; for the next step, run: oka down';
}
