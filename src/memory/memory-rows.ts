import { type EpochMs, groupBy } from '../kernel/index.ts';
import type { Row } from '../ledger/index.ts';
import { passageOf, type TextReading } from '../retrieval/index.ts';
import type { FoundEpisode, FoundFact, SearchPassage } from './ports.ts';
import { joinPieces } from './split-text.ts';
import type { Episode, EpisodePart, Fact, FactChange, FactPart, QuarantinedFact, RestsOn } from './types.ts';

/** Joins the rows of parts, in order, to whole facts. */
export function toFacts(rows: readonly Row[]): Fact[] {
  const parts = groupBy(rows.map(toFactPart), ({ id }) => id);
  return [...parts.values()].map((pieces) => {
    const { part: _part, start: _start, ...fact } = pieces[0] as FactPart;
    return pieces.length === 1 ? fact : { ...fact, text: joinPieces(pieces) };
  });
}

/** Converts a row of the folded table to a part of a fact. */
export function toFactPart(row: Row): FactPart {
  const restsOn = row['rests_on'] as string | null;
  return {
    id: row['id'] as string,
    part: row['part'] as number,
    start: row['start'] as number,
    namespace: row['namespace'] as string,
    text: row['text'] as string,
    importance: row['importance'] as number,
    confidence: row['confidence'] as number,
    ...present('key', row['key']),
    ...present('source', row['source']),
    ...(restsOn === null ? {} : { restsOn: JSON.parse(restsOn) as RestsOn }),
    ...present('expiresAt', row['expires_at']),
    ...present('supersededBy', row['superseded_by']),
    ...(row['candidate'] === 1 ? { candidate: true } : {}),
    by: row['added_by'] as string,
    at: row['at'] as number,
    index: row['idx'] as number,
  };
}

/** Converts a row of the folded table to a part of an episode. */
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
    ...(row['tainted'] === 1 ? { tainted: true } : {}),
  };
}

/** Converts a row of the folded table to a quarantined fact. */
export function toQuarantinedFact(row: Row): QuarantinedFact {
  return {
    id: row['id'] as string,
    namespace: row['namespace'] as string,
    text: row['text'] as string,
    importance: row['importance'] as number,
    confidence: row['confidence'] as number,
    ...present('expiresAt', row['expires_at']),
    run: row['run'] as string,
    ...present('origin', row['origin']),
    at: row['at'] as number,
    index: row['idx'] as number,
  };
}

/** Joins the rows of parts, in order, to whole episodes. */
export function toEpisodes(rows: readonly Row[]): Episode[] {
  const parts = groupBy(rows.map(toEpisodePart), ({ id }) => id);
  return [...parts.values()].map((parts) => {
    const { part: _part, start: _start, ...episode } = parts[0] as EpisodePart;
    return { ...episode, text: joinPieces(parts) };
  });
}

const MAX_IMPORTANCE = 5;

/** The ranking data of a fact. */
export function factPassage(
  fact: Pick<Fact, 'id' | 'namespace' | 'at' | 'importance' | 'confidence'>,
  place: number,
  reading: TextReading,
): SearchPassage {
  const { id, namespace, at } = fact;
  const importance = (fact.importance / MAX_IMPORTANCE) * fact.confidence;
  const candidate = { id: `fact ${place}`, kind: 'fact', at, importance } as const;
  return { id, namespace, passage: passageOf(candidate, reading) };
}

/** The ranking data of a part of an episode. */
export function episodePassage(
  episode: Pick<Episode, 'id' | 'namespace' | 'at' | 'conversation' | 'turn'>,
  place: number,
  reading: TextReading,
): SearchPassage {
  const { id, namespace, at, conversation, turn } = episode;
  const alone = { id: `episode ${place}`, kind: 'episode', at } as const;
  const candidate =
    conversation === undefined || turn === undefined
      ? alone
      : { ...alone, conversation: `${namespace} ${conversation}`, order: turn };
  return { id, namespace, passage: passageOf(candidate, reading) };
}

/** A row of the history of facts. */
export function toFactChange(row: Row): FactChange {
  return {
    fact: row['fact'] as string,
    change: row['change'] as FactChange['change'],
    ...present('other', row['other']),
    by: row['actor'] as string,
    at: row['at'] as number,
  };
}

/** The fact of a found part: with its whole text, unless that exceeds `maxLength`. */
export function showFact(found: FactPart, whole: string, maxLength: number): FoundFact {
  const { part: _part, start: _start, ...fact } = found;
  if (whole.length <= maxLength) return { ...fact, text: whole };
  return { ...fact, partial: true };
}

/** The episode of a found part: with its whole text, unless that exceeds `maxLength`. */
export function showEpisode(found: EpisodePart, whole: string, maxLength: number): FoundEpisode {
  const { part: _part, start: _start, ...episode } = found;
  if (whole.length <= maxLength) return { ...episode, text: whole };
  return { ...episode, partial: true };
}

/** Whether a fact is neither superseded nor expired. */
export function isLive(
  { supersededBy, expiresAt = Number.POSITIVE_INFINITY }: Pick<Fact, 'expiresAt' | 'supersededBy'>,
  now: EpochMs,
): boolean {
  return supersededBy === undefined && expiresAt > now;
}

/** A member for a column that is not null. */
function present(name: string, value: unknown): object {
  return value === null || value === undefined ? {} : { [name]: value };
}
