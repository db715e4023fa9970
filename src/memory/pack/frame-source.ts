import { TextIndex, termsOf } from '../../retrieval/index.ts';
import type { PackCandidate, PackSource } from './types.ts';

/** The frames of the workspace, as packs need them. */
export interface PackFrames {
  /** Frames that may be relevant to a text. */
  find(text: string, limit: number): Promise<readonly FoundFrame[]>;
  /** Undefined if the frame is missing or erased. */
  read(id: string): Promise<PackFrame | undefined>;
}

export interface PackFrame {
  readonly id: string;
  /** The path it describes; empty for the workspace. */
  readonly path: string;
  readonly type: string;
  readonly agent: string;
  readonly content: string;
}

interface FoundFrame extends PackFrame {
  /** What the reader must know of it, such as that it is outdated; missing if it is fresh. */
  readonly note?: string;
  /** The text names its path (`itself`) or a path inside it (`above`). */
  readonly named?: 'itself' | 'above';
  /** Written by a run that had read untrusted content, or derived from such a frame. */
  readonly ofStrangers?: true;
}

const MAX_FOUND = 300;
const MAX_QUERY_LENGTH = 600;
const MAX_TEXT_LENGTH = 4_000;
const WEIGHTS = { itself: 1.6, above: 0.8, words: 1 };
const FIELDS = { path: 2, content: 1 };
/** The factor for the score of a frame that is not fresh. */
const STALE_SHARE = 0.5;
/** In packs of earlier versions the id of an item says how its frame was marked. */
const MARKED_ID = /^(?:(stale|rests:[^/]*)\/)?(.*)$/su;
const RESTS = 'rests:';

/**
 * Frames of the paths that a goal names, and frames that match its words. They are information, never instructions. A
 * frame that is not fresh has a note and counts half.
 */
export function frameSource(frames: PackFrames): PackSource {
  return {
    name: 'frames',
    candidates: async ({ goal, limit }) => {
      const query = goal.slice(0, MAX_QUERY_LENGTH).toWellFormed();
      const found = await frames.find(query, MAX_FOUND);
      const fits = fitByWords(query, found);
      return found
        .map((frame) => candidate(frame, fits.get(frame.id) ?? 0))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, limit);
    },
    read: async ({ kind, id }) => {
      if (kind !== 'frame') return undefined;
      const [, mark, own = ''] = MARKED_ID.exec(id) ?? [];
      const frame = await frames.read(own);
      return frame && describe(frame, noteOf(mark));
    },
  };
}

/** The score of each frame relative to the best one. */
function fitByWords(query: string, found: readonly FoundFrame[]): ReadonlyMap<string, number> {
  const index = new TextIndex(FIELDS);
  for (const { id, path, content } of found)
    index.add(id, { path, content: content.slice(0, MAX_TEXT_LENGTH) });
  const hits = index.search(significantWords(query), found.length);
  const best = hits[0]?.score ?? 1;
  return new Map(hits.map(({ id, score }) => [id, score / best]));
}

/** The query without stop words and without paths: `named` covers paths. */
function significantWords(query: string): string {
  const words = query.replaceAll(/\S*[./]\S+/gu, ' ').split(/\s+/u);
  const significant = new Set(termsOf(words.join(' ')));
  return words.filter((word) => termsOf(word).some((term) => significant.has(term))).join(' ');
}

function candidate(frame: FoundFrame, fit: number): PackCandidate {
  const { id, named, note, ofStrangers } = frame;
  const weight = Math.max(named === undefined ? 0 : WEIGHTS[named], WEIGHTS.words * fit);
  return {
    kind: 'frame',
    id,
    text: describe(frame),
    score: Math.round(weight * (note === undefined ? 1 : STALE_SHARE) * 1e6) / 1e6,
    ...(note === undefined ? {} : { note }),
    untrusted: true,
    ...(ofStrangers ? { ofStrangers } : {}),
  };
}

/** The note about an outdated frame in a pack of an earlier version. */
function noteOf(mark: string | undefined): string {
  if (mark === undefined) return '';
  if (!mark.startsWith(RESTS)) return '; it has changed since';
  return `; rests_on_stale: ${decodeURIComponent(mark.slice(RESTS.length))}`;
}

function describe({ path, type, agent, content }: PackFrame, note = ''): string {
  const about = `${path === '' ? 'the workspace' : path} (${type} by ${agent}${note})`;
  const text =
    content.length > MAX_TEXT_LENGTH ? `${content.slice(0, MAX_TEXT_LENGTH).toWellFormed()} …` : content;
  return `${about}: ${text.trim()}`;
}
