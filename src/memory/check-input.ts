import { type EpochMs, OkaError } from '../kernel/index.ts';
import { SAID_PREFIX } from './memory-events.ts';
import type { MemoryErrorCode, RestsOn } from './types.ts';

/** Where things go that were given no namespace. */
export const DEFAULT_NAMESPACE = 'default';
const DEFAULT_IMPORTANCE = 3;
const LONGEST = {
  namespace: 100,
  key: 200,
  source: 2_000,
  conversation: 200,
  id: 200,
  speaker: 100,
  fact: 20_000,
  episode: 1_000_000,
};
const LATEST = 8_640_000_000_000_000;

/** What a person or a tool wants remembered as a fact. */
export interface NewFact {
  readonly text: string;
  readonly namespace?: string;
  /** 1 to 5; 3 unless told. */
  readonly importance?: number;
  /** 0 to 1; 1 unless told. */
  readonly confidence?: number;
  /** What the fact is about; the fact that had this key is superseded. */
  readonly key?: string;
  readonly source?: string;
  readonly restsOn?: RestsOn;
  readonly expiresAt?: EpochMs;
  /** The id of a fact that this one takes the place of. */
  readonly supersedes?: string;
  /** When it was learned; now unless told. */
  readonly at?: EpochMs;
}

/** What is to be recorded as an episode. */
export interface NewEpisode {
  readonly text: string;
  readonly namespace?: string;
  readonly conversation?: string;
  readonly source?: string;
  readonly at?: EpochMs;
  /** As whoever brings it in knows it; one that its namespace has already is not recorded again. */
  readonly id?: string;
  /** Who said it; stands before the text from then on. */
  readonly speaker?: string;
}

/** A fact with nothing left open but what an equal one may already say. */
export type CheckedFact = NewFact & { readonly namespace: string };
export type CheckedEpisode = Omit<NewEpisode, 'speaker'> & { readonly namespace: string };

/** Refuses a fact that cannot be kept, naming what is wrong with it. */
export function checkFact(fact: NewFact): CheckedFact {
  const { importance = DEFAULT_IMPORTANCE, confidence = 1 } = fact;
  if (!Number.isInteger(importance) || importance < 1 || importance > 5)
    throw invalid('importance', `the importance ${String(importance)} is not a whole number from 1 to 5`);
  if (typeof confidence !== 'number' || !(confidence >= 0 && confidence <= 1))
    throw invalid('confidence', `the confidence ${String(confidence)} is not a number from 0 to 1`);
  checkTime('at', fact.at);
  checkTime('expiresAt', fact.expiresAt);
  return {
    ...fact,
    text: checkText('the text of a fact', fact.text, LONGEST.fact),
    namespace: checkNamespace(fact.namespace),
    ...checkWord('key', fact.key, LONGEST.key),
    ...checkWord('source', fact.source, LONGEST.source),
  };
}

/** Refuses an episode that cannot be kept, naming what is wrong with it. */
export function checkEpisode({ speaker: name, ...episode }: NewEpisode): CheckedEpisode {
  checkTime('at', episode.at);
  const { speaker } = checkWord('speaker', name, LONGEST.speaker);
  const text = checkText('the text of an episode', episode.text, LONGEST.episode);
  return {
    ...episode,
    text: speaker === undefined || text.startsWith(`${speaker}:`) ? text : `${speaker}: ${text}`,
    namespace: checkNamespace(episode.namespace),
    ...checkWord('conversation', episode.conversation, LONGEST.conversation),
    ...checkWord('source', episode.source, LONGEST.source),
    ...checkWord('id', episode.id, LONGEST.id),
  };
}

/** The importance and confidence of a fact that says nothing about them. */
export function weightOf(fact: NewFact): { readonly importance: number; readonly confidence: number } {
  return { importance: fact.importance ?? DEFAULT_IMPORTANCE, confidence: fact.confidence ?? 1 };
}

function checkNamespace(namespace = DEFAULT_NAMESPACE): string {
  const word = checkWord('namespace', namespace, LONGEST.namespace).namespace as string;
  if (word.startsWith(SAID_PREFIX))
    throw invalid('namespace', `the namespaces that begin with ${SAID_PREFIX} belong to conversations`);
  return word;
}

function checkText(what: string, text: unknown, longest: number): string {
  // A table cannot hold NUL: it gets the same sign as other characters that are none.
  const trimmed = typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '\uFFFD').trim() : '';
  if (trimmed === '') throw invalid('text', `${what} is empty`);
  if (trimmed.length <= longest) return trimmed;
  throw invalid('text', `${what} has ${trimmed.length} characters, more than ${longest}`);
}

function checkWord<Name extends string>(
  name: Name,
  value: unknown,
  longest: number,
): { readonly [name in Name]?: string } {
  if (value === undefined) return {};
  const word = typeof value === 'string' ? value.toWellFormed().normalize('NFC').trim() : '';
  if (word === '' || word.length > longest || /\p{Cc}/u.test(word))
    throw invalid(name, `the ${name} is not a line of 1 to ${longest} characters`);
  return { [name]: word } as { readonly [name in Name]?: string };
}

function checkTime(name: string, at: unknown): void {
  if (at === undefined || (Number.isSafeInteger(at) && (at as number) >= 0 && (at as number) <= LATEST))
    return;
  throw invalid(name, `${name} is not a time in milliseconds since 1970`);
}

function invalid(field: string, problem: string): OkaError {
  const code: MemoryErrorCode = 'memory.invalid';
  return new OkaError(code, `${problem}, so nothing was remembered; change it and try again.`, {
    data: { field },
  });
}
