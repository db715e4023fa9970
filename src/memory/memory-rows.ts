import type { EpochMs } from '../kernel/index.ts';
import type { Row } from '../ledger/index.ts';
import { passageOf, type TextReading } from '../retrieval/index.ts';
import type { FoundEpisode, KeptPassage } from './ports.ts';
import { joinPieces } from './split-text.ts';
import type { Episode, EpisodePart, Fact, RestsOn } from './types.ts';

/** A fact from its row of the folded table. */
export function toFact(row: Row): Fact {
  const restsOn = row['rests_on'] as string | null;
  return {
    id: row['id'] as string,
    namespace: row['namespace'] as string,
    text: row['text'] as string,
    importance: row['importance'] as number,
    confidence: row['confidence'] as number,
    ...present('key', row['key']),
    ...present('source', row['source']),
    ...(restsOn === null ? {} : { restsOn: JSON.parse(restsOn) as RestsOn }),
    ...present('expiresAt', row['expires_at']),
    ...present('supersededBy', row['superseded_by']),
    at: row['at'] as number,
    index: row['idx'] as number,
  };
}

/** A part of an episode from its row of the folded table. */
export function toEpisodePart(row: Row): EpisodePart {
  return {
    id: row['id'] as string,
    part: row['part'] as number,
    start: row['start'] as number,
    namespace: row['namespace'] as string,
    ...present('conversation', row['conversation']),
    ...present('turn', row['turn']),
    text: row['text'] as string,
    ...present('source', row['source']),
    at: row['at'] as number,
    index: row['idx'] as number,
  };
}

/** Whole episodes from the rows of their parts, which come in order. */
export function toEpisodes(rows: readonly Row[]): Episode[] {
  const byId = new Map<string, EpisodePart[]>();
  for (const part of rows.map(toEpisodePart)) {
    const others = byId.get(part.id);
    if (others) others.push(part);
    else byId.set(part.id, [part]);
  }
  return [...byId.values()].map((parts) => {
    const { part: _part, start: _start, ...episode } = parts[0] as EpisodePart;
    return { ...episode, text: joinPieces(parts) };
  });
}

const MOST_IMPORTANT = 5;

/** How much a fact counts, from 0 to 1: the more important and the surer, the more. */
function importanceOf({ importance, confidence }: Pick<Fact, 'importance' | 'confidence'>): number {
  return (importance / MOST_IMPORTANT) * confidence;
}

/** What is kept of a fact to rank it. */
export function keptFact(
  fact: Pick<Fact, 'id' | 'namespace' | 'at' | 'importance' | 'confidence'>,
  place: number,
  reading: TextReading,
): KeptPassage {
  const { id, namespace, at } = fact;
  const candidate = { id: `fact ${place}`, kind: 'fact', at, importance: importanceOf(fact) } as const;
  return { id, namespace, passage: passageOf(candidate, reading) };
}

/** What is kept of a part of an episode to rank it. */
export function keptEpisode(
  episode: Pick<Episode, 'id' | 'namespace' | 'at' | 'conversation' | 'turn'>,
  place: number,
  reading: TextReading,
): KeptPassage {
  const { id, namespace, at, conversation, turn } = episode;
  const alone = { id: `episode ${place}`, kind: 'episode', at } as const;
  const candidate =
    conversation === undefined || turn === undefined
      ? alone
      : { ...alone, conversation: `${namespace} ${conversation}`, order: turn };
  return { id, namespace, passage: passageOf(candidate, reading) };
}

/** An episode of which a part was found, with its text where that is not longer than so many characters. */
export function showEpisode(found: EpisodePart, whole: string, longest: number): FoundEpisode {
  const { part: _part, start: _start, ...episode } = found;
  if (whole.length <= longest) return { ...episode, text: whole };
  return { ...episode, partial: true };
}

/** Whether a fact's time is over. */
export function isExpired({ expiresAt }: Pick<Fact, 'expiresAt'>, now: EpochMs): boolean {
  return expiresAt !== undefined && expiresAt <= now;
}

/** Whether a fact holds. */
export function isLive(fact: Pick<Fact, 'expiresAt' | 'supersededBy'>, now: EpochMs): boolean {
  return fact.supersededBy === undefined && !isExpired(fact, now);
}

/** A member for a column that holds something; the caller's type says what. */
function present(name: string, value: unknown): object {
  return value === null || value === undefined ? {} : { [name]: value };
}
