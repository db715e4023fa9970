import type { Workspace } from '../cli/oka-process.ts';
import { outputOf } from './run-oka.ts';
import type { Acknowledged } from './writer.ts';

interface ExportedEvent {
  readonly seq: number;
  readonly stream: string;
  readonly type: string;
  readonly data: Readonly<Record<string, unknown>>;
  readonly body?: unknown;
}

/** The lines of `oka ledger export`. */
export async function exportLines(workspace: Workspace): Promise<readonly string[]> {
  return (await outputOf(workspace, 'ledger', 'export')).split('\n').filter((line) => line !== '');
}

/** The event of each kind of write, and where its text contains the key of the write. */
const EVENT_OF = {
  fact: 'fact.added',
  run: 'run.started',
  message: 'message.posted',
  'graph run': 'state.written',
} as const satisfies Record<Acknowledged['kind'], string>;

/** Keys look like `w2-14-3`: writer, start of its process, number of the write. */
const KEY = /\bw\d+-\d+-\d+\b/;

/** Acknowledged writes that are missing or incomplete, and writes that were stored more than once. */
export function wrongWrites(lines: readonly string[], acknowledged: readonly Acknowledged[]): string[] {
  const stored = new Map<string, ExportedEvent[]>();
  const ended = new Map<string, number>();
  for (const line of lines) {
    const event = JSON.parse(line) as ExportedEvent;
    if (event.type === 'run.completed') ended.set(event.stream, (ended.get(event.stream) ?? 0) + 1);
    const key = Object.values(EVENT_OF).some((type) => type === event.type)
      ? KEY.exec(JSON.stringify(event.body))?.[0]
      : undefined;
    if (key === undefined) continue;
    const slot = `${event.type} ${key}`;
    stored.set(slot, [...(stored.get(slot) ?? []), event]);
  }
  const doubled = [...stored]
    .filter(([, events]) => events.length > 1)
    .map(([slot]) => `stored twice: ${slot}`);
  const lost = acknowledged
    .filter((write) => !isStored(write, stored.get(`${EVENT_OF[write.kind]} ${write.key}`)?.[0], ended))
    .map(({ kind, key, id }) => `acknowledged but not stored: ${kind} ${key} (${id})`);
  return [...doubled, ...lost];
}

function isStored(
  { kind, id }: Acknowledged,
  event: ExportedEvent | undefined,
  ended: ReadonlyMap<string, number>,
): boolean {
  if (event === undefined) return false;
  switch (kind) {
    case 'fact':
      return event.data['id'] === id;
    case 'message':
      return true;
    case 'run':
      return event.stream === `run/${id}` && ended.get(event.stream) === 1;
    case 'graph run':
      return event.data['run'] === id && ended.get(`run/${id}`) === 1;
  }
}
