import { type EpochMs, OkaError } from '../kernel/index.ts';
import { CHAT_PREFIX } from './memory-events.ts';
import type { MemoryErrorCode, RestsOn } from './types.ts';

export const DEFAULT_NAMESPACE = 'default';
const DEFAULT_IMPORTANCE = 3;
const MAX_LENGTH = {
  namespace: 100,
  key: 200,
  source: 2_000,
  conversation: 200,
  id: 200,
  speaker: 100,
  fact: 20_000,
  episode: 1_000_000,
};
const MAX_TIME = 8_640_000_000_000_000;

/** A fact to add. */
export interface NewFact {
  readonly text: string;
  readonly namespace?: string;
  /** 1 to 5; 3 by default. */
  readonly importance?: number;
  /** 0 to 1; 1 by default. */
  readonly confidence?: number;
  /** The subject of the fact. It supersedes the fact with the same key. */
  readonly key?: string;
  readonly source?: string;
  readonly restsOn?: RestsOn;
  readonly expiresAt?: EpochMs;
  /** The id of the fact that this one replaces. */
  readonly supersedes?: string;
  /** When it was learned; now by default. */
  readonly at?: EpochMs;
  /** Nobody confirmed it: it supersedes no confirmed fact, and changes only the expiry of an equal one. */
  readonly candidate?: boolean;
}

export interface NewEpisode {
  readonly text: string;
  readonly namespace?: string;
  readonly conversation?: string;
  readonly source?: string;
  readonly at?: EpochMs;
  /** The importer's own id. An id that the namespace already has is not recorded again. */
  readonly id?: string;
  /** Who said it; prefixed to the text. */
  readonly speaker?: string;
}

/** Importance and confidence stay open, because an equal fact may define them. */
export type CheckedFact = NewFact & { readonly namespace: string };
export type CheckedEpisode = Omit<NewEpisode, 'speaker'> & { readonly namespace: string };

/** Validates a fact; the error names the invalid field. */
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
    text: checkText('the text of a fact', fact.text, MAX_LENGTH.fact),
    namespace: checkNamespace(fact.namespace),
    ...checkWord('key', fact.key, MAX_LENGTH.key),
    ...checkWord('source', fact.source, MAX_LENGTH.source),
  };
}

/** Validates an episode; the error names the invalid field. */
export function checkEpisode({ speaker: name, ...episode }: NewEpisode): CheckedEpisode {
  checkTime('at', episode.at);
  const { speaker } = checkWord('speaker', name, MAX_LENGTH.speaker);
  const text = checkText('the text of an episode', episode.text, MAX_LENGTH.episode);
  return {
    ...episode,
    text: speaker === undefined || text.startsWith(`${speaker}:`) ? text : `${speaker}: ${text}`,
    namespace: checkNamespace(episode.namespace),
    ...checkWord('conversation', episode.conversation, MAX_LENGTH.conversation),
    ...checkWord('source', episode.source, MAX_LENGTH.source),
    ...checkWord('id', episode.id, MAX_LENGTH.id),
  };
}

/** Importance and confidence, with defaults. */
export function weightOf(fact: NewFact): { readonly importance: number; readonly confidence: number } {
  return { importance: fact.importance ?? DEFAULT_IMPORTANCE, confidence: fact.confidence ?? 1 };
}

function checkNamespace(namespace = DEFAULT_NAMESPACE): string {
  const word = checkWord('namespace', namespace, MAX_LENGTH.namespace).namespace as string;
  if (word.startsWith(CHAT_PREFIX))
    throw invalid('namespace', `namespaces that begin with ${CHAT_PREFIX} are reserved for conversations`);
  return word;
}

function checkText(what: string, text: unknown, maxLength: number): string {
  // A table cannot hold NUL, so it is replaced like any other invalid character.
  const trimmed = typeof text === 'string' ? text.toWellFormed().replaceAll('\0', '\uFFFD').trim() : '';
  if (trimmed === '') throw invalid('text', `${what} is empty`);
  if (trimmed.length <= maxLength) return trimmed;
  throw invalid('text', `${what} has ${trimmed.length} characters, more than ${maxLength}`);
}

function checkWord<Name extends string>(
  name: Name,
  value: unknown,
  maxLength: number,
): { readonly [name in Name]?: string } {
  if (value === undefined) return {};
  const word = typeof value === 'string' ? value.toWellFormed().normalize('NFC').trim() : '';
  if (word === '' || word.length > maxLength || /\p{Cc}/u.test(word))
    throw invalid(name, `the ${name} is not a line of 1 to ${maxLength} characters`);
  return { [name]: word } as { readonly [name in Name]?: string };
}

function checkTime(name: string, at: unknown): void {
  if (at === undefined || (Number.isSafeInteger(at) && (at as number) >= 0 && (at as number) <= MAX_TIME))
    return;
  throw invalid(name, `${name} is not a time in milliseconds since 1970`);
}

function invalid(field: string, problem: string): OkaError {
  return new OkaError<MemoryErrorCode>('memory.invalid', `${problem}. Nothing was stored.`, {
    data: { field },
  });
}
