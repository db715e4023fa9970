// Owns: which words in the ledger are a person's own. I1 Text of strangers, tools, models or other agents never counts as a
// person's words, even if a person chose it. I2 Turns of a transcript that a person imported are words of their speaker.
import { asObject, type EpochMs, type Json, type JsonObject } from '../../kernel/index.ts';
import type { EventStore, LedgerEvent } from '../../ledger/index.ts';
import { speakerTurn } from './speaker-turns.ts';

export interface SpokenWords {
  /** The address of the event. */
  readonly place: string;
  /** The source of facts derived from the words. */
  readonly source: string;
  readonly namespace: string;
  readonly text: string;
  /** The speaker of a transcript, who is not the person of this workspace. */
  readonly speaker?: string;
  readonly at: EpochMs;
}

/** Kinds of runs whose goal a person typed. */
const PERSON_KINDS = ['agent', 'assistant'];
/** The source of a person's episode; the part after the colon names the person. */
const PERSON_SOURCE = /^(?:person|user)(?::|$)/;
/** Sources of episodes that no person said. */
const OTHER_SOURCE =
  /^(?:agent|assistant|model|tool|run|bot|system|web|http|https|page|mcp|file|email|mail)\b/iu;
const RUN_NAMESPACE = 'default';
const RUN_PREFIX = 'run/';
const MEMORY_PREFIX = 'memory/';

/** An event's address as one string. */
export function placeOf({ stream, index }: Pick<LedgerEvent, 'stream' | 'index'>): string {
  return `${stream}#${index}`;
}

/** Returns a person's words in this event; undefined if there are none or they were erased. */
export async function spokenWords(
  event: LedgerEvent,
  events: Pick<EventStore, 'read'>,
): Promise<SpokenWords | undefined> {
  const { body, data } = event;
  if (body === undefined) return undefined;
  const said = asObject(body as Json);
  switch (event.type) {
    case 'run.started':
      return isPersonsGoal(data) ? inRun(event, said['goal']) : undefined;
    case 'run.corrected':
      return inRun(event, said['text']);
    case 'question.answered':
      return (await wasOffered(event, events)) ? undefined : inRun(event, said['answer']);
    case 'episode.recorded':
      return inTurn(event, said);
    default:
      return undefined;
  }
}

/** Whether a person gave the goal: no child, resumed or forked run. */
function isPersonsGoal(data: JsonObject): boolean {
  const { kind, untrusted, lineage } = data as { kind?: unknown; untrusted?: unknown; lineage?: JsonObject };
  const { parent, resumedFrom, forkedFrom } = lineage ?? {};
  const isOriginal = [parent, resumedFrom, forkedFrom].every((run) => run === undefined);
  return PERSON_KINDS.includes(String(kind)) && untrusted !== true && isOriginal;
}

/** Whether the answer was one of a planner's options, whose words are not the person's. Unknown counts as offered. */
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

function inTurn(event: LedgerEvent, { source = '', text }: JsonObject): SpokenWords | undefined {
  const { id, at } = event.data;
  if (typeof text !== 'string' || !event.stream.startsWith(MEMORY_PREFIX)) return undefined;
  const turn = speakerTurn(text);
  const isPerson = PERSON_SOURCE.test(String(source));
  const isForeign = OTHER_SOURCE.test(String(source)) || event.actor.startsWith('run:');
  if (!isPerson && (turn === undefined || isForeign)) return undefined;
  return {
    place: placeOf(event),
    source: `episode/${String(id)}`,
    namespace: event.stream.slice(MEMORY_PREFIX.length),
    text: turn?.words ?? text,
    ...(isPerson || turn?.name === undefined ? {} : { speaker: turn.name }),
    at: typeof at === 'number' ? at : event.at,
  };
}
