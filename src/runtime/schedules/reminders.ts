// Owns: what a reminder is: a schedule of a built-in graph that calls no tool, so that a goal may create it.
import { REMINDER_GRAPH } from '../../api/index.ts';
import type { Engine } from '../../engine/index.ts';
import { compileGraph, toStateGraph } from '../../graph/index.ts';
import { asObject, type EpochMs, type Json, OkaError } from '../../kernel/index.ts';
import type { StreamAppend } from '../../ledger/index.ts';
import type { FiringRequest, Schedule, ScheduleErrorCode } from '../../schedule/index.ts';
import type { ReminderView } from '../../tools/index.ts';

const DEFINITION = {
  id: 'oka-reminder',
  name: 'Reminder',
  version: 1,
  start: 'start',
  nodes: [
    { node_id: 'start', type: 'start', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};
/** Firings later than this say when they were due. */
const LATE_MS = 60_000;

/** The run of a reminder that is due. Its output is the text. */
export async function reminderRun(
  engine: Pick<Engine, 'prepare' | 'storeGraph'>,
  { id, input, plannedAt }: Pick<FiringRequest, 'id' | 'input' | 'plannedAt'>,
  now: EpochMs,
): Promise<{ readonly run: string; readonly appends: readonly StreamAppend[] }> {
  const { text, zone } = asObject(input);
  const isLate = now - plannedAt > LATE_MS;
  const due = localMinute(plannedAt, String(zone));
  const report = `Reminder: ${String(text)}${isLate ? ` (it was due at ${due}, when no daemon was running)` : ''}`;
  const { graph } = compileGraph(DEFINITION, { tools: { find: () => undefined, names: () => [] } });
  if (graph === undefined) throw new Error('the graph of reminders does not compile');
  return engine.prepare({
    kind: 'graph',
    goal: report,
    subject: DEFINITION.id,
    graph: await toStateGraph(graph, (used) => engine.storeGraph(used)),
    vars: { firing_id: id, input: { reminder: text ?? '', due, late: isLate, report } },
    origin: id,
  });
}

/** The `@at` expression of a moment on the clock of a zone. */
export function onceAt(at: EpochMs, zone: string, now: EpochMs): string {
  const code: ScheduleErrorCode = 'schedule.invalid';
  if (at <= now) throw new OkaError(code, 'That time is over. Give a time in the future.', { data: { at } });
  const style = { dateStyle: 'short', timeStyle: 'medium' } as const;
  return `@at ${new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...style }).format(at).replace(' ', 'T')}`;
}

/** A schedule as a reminder; undefined for any other schedule. */
export function viewReminder(
  {
    id,
    graph,
    input,
    trigger,
    lastFiredAt,
  }: Pick<Schedule, 'id' | 'graph' | 'trigger' | 'lastFiredAt'> & { input?: Json },
  next: readonly EpochMs[],
): ReminderView | undefined {
  if (graph !== REMINDER_GRAPH || !('cron' in trigger)) return undefined;
  const [soonest] = next;
  return {
    id,
    text: String(asObject(input ?? null)['text'] ?? ''),
    zone: trigger.zone,
    ...(trigger.cron.startsWith('@at ') ? {} : { cron: trigger.cron }),
    ...(soonest === undefined ? {} : { next: soonest, next_local: localMinute(soonest, trigger.zone) }),
    ...(lastFiredAt === undefined
      ? {}
      : { fired: lastFiredAt, fired_local: localMinute(lastFiredAt, trigger.zone) }),
  };
}

function localMinute(at: EpochMs, zone: string): string {
  const style = { dateStyle: 'short', timeStyle: 'short' } as const;
  return new Intl.DateTimeFormat('sv-SE', { timeZone: zone, ...style }).format(at);
}
