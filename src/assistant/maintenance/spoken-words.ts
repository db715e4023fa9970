// Owns: which words of the ledger are a person's own. I1 What strangers, tools, models or other agents wrote is never taken
// for a person's words, also where a person only chose it.
import type { EpochMs, JsonObject } from '../../kernel/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';

/** Words that a person said, and where they stand. */
export interface SpokenWords {
  /** The address of their event. */
  readonly place: string;
  /** What facts that come from them name as their source. */
  readonly source: string;
  readonly namespace: string;
  readonly text: string;
  readonly at: EpochMs;
}

/** Kinds of runs whose goal is what a person typed. */
const PERSONS_KINDS = ['agent', 'assistant'];
/** The source of an episode that is a turn of a person; what comes after the colon says who. */
const PERSONS_TURN = /^(?:person|user)(?::|$)/;
const RUN_NAMESPACE = 'default';
const RUN_PREFIX = 'run/';
const MEMORY_PREFIX = 'memory/';

/** An event's address in one word. */
export function placeOf({ stream, index }: Pick<LedgerEvent, 'stream' | 'index'>): string {
  return `${stream}#${index}`;
}

/** What a person said in this event; undefined where nobody did, or where it was erased. */
export async function spokenWords(
  event: LedgerEvent,
  events: Pick<EventStore, 'read'>,
): Promise<SpokenWords | undefined> {
  const { body, data } = event;
  if (body === undefined || body === null || typeof body !== 'object') return undefined;
  const said = body as JsonObject;
  switch (event.type) {
    case 'run.started':
      return isPersonsGoal(data) ? inRun(event, said['goal']) : undefined;
    case 'run.corrected':
      return inRun(event, said['text']);
    case 'question.answered':
      return (await wasOffered(event, events)) ? undefined : inRun(event, said['answer']);
    case 'episode.recorded':
      return PERSONS_TURN.test(String(said['source'] ?? '')) ? inTurn(event, said['text']) : undefined;
    default:
      return undefined;
  }
}

/** A goal that nobody's run made up, and that does not only go on from another. */
function isPersonsGoal(data: JsonObject): boolean {
  const { kind, untrusted, lineage } = data as { kind?: unknown; untrusted?: unknown; lineage?: JsonObject };
  const { parent, resumedFrom, forkedFrom } = lineage ?? {};
  return (
    PERSONS_KINDS.includes(String(kind)) &&
    untrusted !== true &&
    parent === undefined &&
    resumedFrom === undefined &&
    forkedFrom === undefined
  );
}

/** Whether the answer was one of a choice: those words are the planner's, not the person's. Unknown counts as offered. */
async function wasOffered(event: LedgerEvent, events: Pick<EventStore, 'read'>): Promise<boolean> {
  const before = await events.read(event.stream);
  const asked = before.findLast(
    ({ type, data }) => type === 'question.asked' && data['id'] === event.data['id'],
  );
  const question = asked?.body as JsonObject | undefined;
  return question === undefined || asked?.data['about'] !== 'question' || question['options'] !== undefined;
}

function inRun(event: LedgerEvent, text: unknown): SpokenWords | undefined {
  if (typeof text !== 'string' || !event.stream.startsWith(RUN_PREFIX)) return undefined;
  return { place: placeOf(event), source: event.stream, namespace: RUN_NAMESPACE, text, at: event.at };
}

function inTurn(event: LedgerEvent, text: unknown): SpokenWords | undefined {
  const { id, at } = event.data;
  if (typeof text !== 'string' || !event.stream.startsWith(MEMORY_PREFIX)) return undefined;
  return {
    place: placeOf(event),
    source: `episode/${String(id)}`,
    namespace: event.stream.slice(MEMORY_PREFIX.length),
    text,
    at: typeof at === 'number' ? at : event.at,
  };
}
