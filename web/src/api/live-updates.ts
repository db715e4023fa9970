// Owns: which reads an event of the ledger makes stale.

import type { Query, QueryClient } from '@tanstack/react-query';
import type { EventStream, LedgerEvent } from './events.ts';

type Touched = readonly [prefixes: readonly string[], paths: readonly string[]];

/** Events by the start of their type, and the routes whose answers they change. */
const TOUCHED: readonly Touched[] = [
  [
    ['run.', 'step.', 'state.', 'tool.', 'child.', 'artifacts.', 'budget.', 'simulation.'],
    ['/v1/runs', '/v1/metrics', '/v1/overview'],
  ],
  [
    ['approval.', 'question.', 'effect.'],
    ['/v1/approvals', '/v1/runs', '/v1/overview'],
  ],
  [['schedule.'], ['/v1/schedules']],
  [['graph.', 'state.written'], ['/v1/graphs']],
  [['conversation.', 'message.', 'turn.', 'note.', 'words.'], ['/v1/chats']],
  [
    ['fact.', 'episode.', 'knowledge.', 'procedure.', 'evidence.'],
    ['/v1/memory', '/v1/procedures'],
  ],
  [['context.', 'frame.'], ['/v1/context']],
  [['credential.', 'vault.'], ['/v1/vault']],
];

export function touchedPaths(type: string): readonly string[] {
  return TOUCHED.flatMap(([prefixes, paths]) =>
    prefixes.some((start) => type.startsWith(start)) ? paths : [],
  );
}

/** Whether an event changes the answer of a read. A read of one run is touched only by events of its tree. */
export function touches(event: LedgerEvent, key: readonly unknown[]): boolean {
  const [path, input] = key;
  if (typeof path !== 'string') return false;
  if (!touchedPaths(event.type).some((start) => path === start || path.startsWith(`${start}/`))) return false;
  const named = (input as { params?: { path?: Record<string, unknown> } } | undefined)?.params?.path ?? {};
  if (typeof named['run'] === 'string') return isOfRun(event, named['run']);
  const conversation = named['conversation'];
  return (
    typeof conversation !== 'string' ||
    event.conversation === undefined ||
    event.conversation === conversation
  );
}

/** Addresses may have a short id, which is the end of the whole one. */
function isOfRun(event: LedgerEvent, run: string): boolean {
  return [event.run, event.root].some((id) => id?.endsWith(run));
}

const FLUSH_MS = 200;

/** Marks reads as stale when events touch them, many events at once. Reads of visible pages are repeated. */
export function followLedger(stream: EventStream, queries: QueryClient): void {
  let waiting: LedgerEvent[] = [];
  const flush = (): void => {
    const events = waiting;
    waiting = [];
    const isTouched = ({ queryKey, meta }: Query): boolean =>
      meta?.['live'] !== 'own' && events.some((event) => touches(event, queryKey));
    void queries.invalidateQueries({ predicate: isTouched });
  };
  stream.onLedger((event) => {
    if (waiting.length === 0) setTimeout(flush, FLUSH_MS);
    waiting.push(event);
  });
  // What was read before the stream was complete may miss an event.
  stream.onReady(() => void queries.invalidateQueries());
}
