// Owns: which reads an event of the ledger makes stale.

import type { Query, QueryClient } from '@tanstack/react-query';
import type { EventStream, LedgerEvent } from './events.ts';
import type { paths } from './schema.ts';

/** The routes by the first part of their path. */
type RoutesOf<Path> = Path extends `/v1/${infer Name}/${string}`
  ? Name
  : Path extends `/v1/${infer Name}`
    ? Name
    : never;

const RUNS = ['run.', 'step.', 'state.', 'tool.', 'child.', 'artifacts.', 'budget.', 'simulation.'];
const REQUESTS = ['approval.', 'question.', 'effect.'];
const MEMORY = ['fact.', 'episode.', 'knowledge.', 'procedure.', 'evidence.'];

/** The start of the types of events that change the answers of each route; the compiler reports a missing route. */
const TOUCHED_BY: Readonly<Record<RoutesOf<keyof paths>, readonly string[]>> = {
  runs: [...RUNS, ...REQUESTS],
  overview: [...RUNS, ...REQUESTS],
  metrics: RUNS,
  changes: RUNS,
  // The requests of a run that ended are withdrawn.
  approvals: [...REQUESTS, 'run.cancelled', 'run.failed', 'run.completed'],
  schedules: ['schedule.'],
  graphs: ['graph.', 'state.written'],
  chats: ['conversation.', 'message.', 'turn.', 'note.', 'words.'],
  memory: MEMORY,
  procedures: MEMORY,
  context: ['context.', 'frame.'],
  vault: ['credential.', 'vault.'],
  // Configuration, files, other programs and questions: no event changes their answers.
  'agent-checks': [],
  agents: [],
  backups: [],
  doctor: [],
  evals: [],
  events: [],
  grants: [],
  'graph-gallery': [],
  'graph-picture': [],
  'graph-schema': [],
  ledger: [],
  maintenance: [],
  'mcp-servers': [],
  'model-prices': [],
  'model-providers': [],
  'model-test': [],
  models: [],
  'openapi.json': [],
  policy: [],
  'procedure-search': [],
  'schedule-preview': [],
  session: [],
  skills: [],
  status: [],
  tools: [],
  trust: [],
  'trusted-workspaces': [],
  workers: [],
};

/** Whether an event changes the answer of a read. A read of some runs is touched only by events of their trees. */
export function touches(event: LedgerEvent, key: readonly unknown[]): boolean {
  const [path, input] = key;
  if (typeof path !== 'string') return false;
  const starts = (TOUCHED_BY as Readonly<Record<string, readonly string[]>>)[path.split('/')[2] ?? ''] ?? [];
  if (!starts.some((start) => event.type.startsWith(start))) return false;
  const { path: named = {}, query = {} } = (input as { params?: Params } | undefined)?.params ?? {};
  const runs = typeof named['run'] === 'string' ? [named['run']] : query['runs'];
  if (Array.isArray(runs)) return runs.some((run) => isOfRun(event, String(run)));
  const conversation = named['conversation'];
  return (
    typeof conversation !== 'string' ||
    event.conversation === undefined ||
    event.conversation === conversation
  );
}

interface Params {
  readonly path?: Readonly<Record<string, unknown>>;
  readonly query?: Readonly<Record<string, unknown>>;
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
