// Owns: the text of `oka status`: one line per topic, and the command that helps.
import {
  type ApprovalView,
  count,
  type DaemonStatus,
  type DaemonWorker,
  REMINDER_GRAPH,
  type RunListItem,
  remindersIn,
  requestLine,
  type ScheduleItem,
  shortId,
  type WorkersAnswer,
} from '../api/index.ts';
import { isOfThisBuild } from './daemon-link.ts';
import { clip } from './format.ts';
import { type Colors, visible } from './printer.ts';
import { nextLocalTime } from './show-schedules.ts';

const SHOWN_RUNS = 3;
const MAX_NAME_COLUMNS = 40;
const MINUTE_MS = 60_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;

export interface StatusFacts {
  /** The name of the workspace folder. */
  readonly folder: string;
  readonly now: number;
  readonly daemon?: DaemonStatus | undefined;
  /** Why a daemon that should run cannot be reached, or how to start one. */
  readonly noDaemon?: string | undefined;
  readonly running: readonly RunListItem[];
  readonly waiting: readonly ApprovalView[];
  /** Runs that continue by themselves: at a time, or when what they wait for is there. */
  readonly parked: readonly RunListItem[];
  /** Runs that no process works on. */
  readonly interrupted: readonly RunListItem[];
  readonly schedules: readonly ScheduleItem[];
  readonly agents: readonly AgentState[];
  /** The workers of a cluster. */
  readonly cluster?: WorkersAnswer;
}

export interface AgentState {
  readonly name: string;
  /** Where it answers now. */
  readonly conversation?: string;
  /** Set while its model is rate limited or overloaded. */
  readonly waitsUntil?: number;
  /** The process of its own, if it has one. */
  readonly pid?: number;
}

export function showStatus(facts: StatusFacts, colors: Colors): string {
  const { folder, now, daemon, noDaemon = '' } = facts;
  const acting = facts.schedules.filter(({ graph }) => graph !== REMINDER_GRAPH);
  const head =
    daemon === undefined
      ? noDaemon
      : `daemon up ${showAge(now - daemon.startedAt)} (pid ${daemon.pid}${daemon.calls === 0 ? '' : `, ${count(daemon.calls, 'active call')}`})`;
  const rows = [
    row(
      'running',
      facts.running.length,
      facts.running.slice(0, SHOWN_RUNS).map((run) => showRunning(run, now)),
    ),
    row('waiting', facts.waiting.length + facts.parked.length, [
      ...facts.waiting.slice(0, SHOWN_RUNS).map(showWaiting),
      ...facts.parked.slice(0, SHOWN_RUNS).map((run) => showParked(run, now)),
    ]),
    ...(facts.interrupted.length === 0
      ? []
      : [
          `${row(
            'interrupted',
            facts.interrupted.length,
            facts.interrupted.slice(0, SHOWN_RUNS).map((run) => showRunning(run, now)),
          )}   ${colors.cyan(daemon === undefined ? 'oka up' : 'oka runs resume --all')}`,
        ]),
    row('schedules', acting.length, nextSchedule({ ...facts, schedules: acting })),
    ...reminderRow(facts),
    row(
      'agents',
      facts.agents.length,
      facts.agents.map((agent) => visible(showAgent(agent, now))),
    ),
    ...workerRow(facts),
    ...(daemon?.web === undefined
      ? []
      : [`  ${'web'.padEnd(10)}      ${visible(daemon.web)}   ${colors.cyan('oka web')}`]),
  ];
  if (facts.waiting.length > 0) rows[1] += `   ${colors.cyan('oka approvals')}`;
  return [
    `${colors.bold(visible(folder))} · ${visible(head)}`,
    ...rows,
    ...problemsOf(facts).map(
      (problem, i) => `  ${colors.red((i === 0 ? 'problems' : '').padEnd(10))} ${problem}`,
    ),
  ].join('\n');
}

function row(name: string, amount: number, items: readonly string[]): string {
  const more =
    amount > items.length && items.length > 0 && !['schedules', 'reminders', 'workers'].includes(name)
      ? [`${amount - items.length} more`]
      : [];
  return `  ${name.padEnd(10)} ${String(amount).padStart(2)}   ${[...items, ...more].join(' · ')}`.trimEnd();
}

function showRunning({ goal = '', id, startedAt }: RunListItem, now: number): string {
  return `${clip(goal === '' ? id : goal, MAX_NAME_COLUMNS)} (${showAge(now - startedAt)})`;
}

/** Such as "backup for timer until 14:05". */
function showParked({ goal = '', id, waitingFor }: RunListItem, now: number): string {
  const until = waitingFor?.until === undefined ? '' : ` until ${nextLocalTime(waitingFor.until, now)}`;
  return `${clip(goal === '' ? id : goal, MAX_NAME_COLUMNS)} for ${waitingFor?.what ?? 'its turn'}${until}`;
}

function showWaiting(approval: ApprovalView): string {
  const wish = approval.kind === 'question' ? '' : 'wants to ';
  return `${shortId(approval.id)} ${clip(`${wish}${requestLine(approval)}`, MAX_NAME_COLUMNS)}`;
}

/** The workers that take work, and the others with their state; no row without a cluster. */
function workerRow({ cluster, now }: StatusFacts): string[] {
  if (cluster === undefined || cluster.workers.length === 0) return [];
  const others = cluster.workers.filter(({ state }) => state !== 'alive');
  return [
    row('workers', cluster.workers.length, [
      `${cluster.workers.length - others.length} alive`,
      ...others.map(({ id, state, since }) => visible(`${id} ${state} for ${showAge(now - since)}`)),
    ]),
  ];
}

/** Reminders that came, then the next one; no row without reminders. */
function reminderRow({ schedules, now }: StatusFacts): string[] {
  const reminders = remindersIn(schedules, now);
  const came = cameReminders(schedules, now);
  const [next] = reminders
    .flatMap(({ text, nextAt }) => (nextAt === null ? [] : [{ text, nextAt }]))
    .sort((a, b) => a.nextAt - b.nextAt);
  const coming = next && `next: ${clip(next.text, MAX_NAME_COLUMNS)} ${nextLocalTime(next.nextAt, now)}`;
  return reminders.length === 0
    ? []
    : [row('reminders', reminders.length, [...came, ...(coming === undefined ? [] : [coming])])];
}

/** The reminders that came, such as "call Bob (came 09:00)". */
export function cameReminders(schedules: readonly ScheduleItem[], now: number): readonly string[] {
  return remindersIn(schedules, now).flatMap(({ text, firedAt }) =>
    firedAt === null ? [] : [`${clip(text, MAX_NAME_COLUMNS)} (came ${nextLocalTime(firedAt, now)})`],
  );
}

/** Such as "ada", "gendry answering in garden" or "ann waiting until 14:05 in garden (process 4711)". */
function showAgent({ name, conversation, waitsUntil, pid }: AgentState, now: number): string {
  const where = conversation === undefined ? '' : ` in ${conversation}`;
  const doing = waitsUntil === undefined ? ' answering' : ` waiting until ${nextLocalTime(waitsUntil, now)}`;
  return `${name}${where === '' ? '' : `${doing}${where}`}${pid === undefined ? '' : ` (process ${pid})`}`;
}

function nextSchedule({ schedules, now }: StatusFacts): readonly string[] {
  const [next] = schedules
    .filter((item) => item.problem === undefined && item.next.length > 0)
    .sort((a, b) => (a.next[0] ?? 0) - (b.next[0] ?? 0));
  if (next === undefined)
    return schedules.some(({ onChange }) => onChange !== undefined) ? ['on change'] : [];
  const at = next.next[0] ?? now;
  return [`next: ${clip(next.graph, MAX_NAME_COLUMNS)} ${nextLocalTime(at, now)} (in ${showAge(at - now)})`];
}

function problemsOf({ daemon, schedules, cluster, now }: StatusFacts): string[] {
  const failing = (daemon?.workers ?? []).filter(({ status }) => status === 'failing');
  return [
    ...(daemon === undefined || isOfThisBuild(daemon)
      ? []
      : [
          `The daemon runs another build of Oka (${visible(daemon.version)}). Restart it: oka down, then oka up`,
        ]),
    ...failing.map((worker) => showFailing(worker, now)),
    ...(cluster?.problem === undefined ? [] : [visible(cluster.problem.message)]),
    ...schedules.flatMap(({ graph, problem, lastSkipped }) => {
      if (problem !== undefined) return [`${visible(graph)} never runs: ${visible(problem.message)}`];
      if (lastSkipped === undefined) return [];
      const { plannedAt, why, failure } = lastSkipped;
      const reason = failure?.message ?? failure?.code;
      return [
        `${visible(graph)} did not run at ${nextLocalTime(plannedAt, now)}: ${visible(reason === undefined ? why : `${why}: ${reason}`)}`,
      ];
    }),
    ...(daemon?.warnings ?? []).map(
      ({ message, since }) => `${visible(message)} (since ${nextLocalTime(since, now)})`,
    ),
  ];
}

function showFailing({ name, lastError, nextTryAt }: DaemonWorker, now: number): string {
  if (lastError === undefined) return `${name} is failing`;
  const { message, code, since, count: failures } = lastError;
  const retry = nextTryAt === undefined ? 'retrying' : `next try ${nextLocalTime(nextTryAt, now)}`;
  const times = failures === 1 ? '' : `, ${failures} times`;
  return visible(`${name}: ${message} (${code}) since ${nextLocalTime(since, now)}${times} (${retry})`);
}

/** A duration in one unit, such as "9 h". */
function showAge(ms: number): string {
  if (ms < MINUTE_MS) return `${Math.max(0, Math.round(ms / 1_000))} s`;
  if (ms < HOUR_MS) return `${Math.round(ms / MINUTE_MS)} min`;
  return ms < 2 * DAY_MS ? `${Math.round(ms / HOUR_MS)} h` : `${Math.round(ms / DAY_MS)} days`;
}
