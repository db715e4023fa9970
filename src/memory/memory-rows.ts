import type { Row } from '../ledger/index.ts';
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

/** A member for a column that holds something; the caller's type says what. */
function present(name: string, value: unknown): object {
  return value === null || value === undefined ? {} : { [name]: value };
}
