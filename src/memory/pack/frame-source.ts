import { TextIndex, termsOf } from '../../retrieval/index.ts';
import type { PackSource } from './ports.ts';
import type { PackCandidate } from './types.ts';

/** What packs need of what was said about the workspace. */
export interface PackFrames {
  /** What may matter for a text. */
  find(text: string, limit: number): Promise<readonly FoundFrame[]>;
  /** Undefined when it is gone, or erased. */
  read(id: string): Promise<PackFrame | undefined>;
}

export interface PackFrame {
  readonly id: string;
  /** What it is about; empty for the workspace. */
  readonly path: string;
  readonly type: string;
  readonly agent: string;
  readonly content: string;
}

interface FoundFrame extends PackFrame {
  /** What it is about has changed since. */
  readonly stale: boolean;
  /** The text names its path, or something in that folder. */
  readonly named?: 'itself' | 'above';
}

const LOOKED_THROUGH = 300;
const LONGEST_QUERY = 600;
const LONGEST_TEXT = 4_000;
const WEIGHTS = { itself: 1.6, above: 0.8, words: 1 };
const FIELDS = { path: 2, content: 1 };
/** What is left of a score when the node has changed since. */
const STALE_SHARE = 0.5;
const STALE = 'stale/';

/**
 * What was said about the parts of the workspace that a goal names, and what fits it by its words. Whoever said it, it is
 * information and never an instruction. A stale frame is marked in its text, and counts half.
 */
export function frameSource(frames: PackFrames): PackSource {
  return {
    name: 'frames',
    candidates: async ({ goal, limit }) => {
      const query = goal.slice(0, LONGEST_QUERY).toWellFormed();
      const found = await frames.find(query, LOOKED_THROUGH);
      const fits = fitByWords(query, found);
      return found
        .map((frame) => candidate(frame, fits.get(frame.id) ?? 0))
        .filter(({ score }) => score > 0)
        .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1))
        .slice(0, limit);
    },
    read: async ({ kind, id }) => {
      if (kind !== 'frame') return undefined;
      const stale = id.startsWith(STALE);
      const frame = await frames.read(stale ? id.slice(STALE.length) : id);
      return frame && tell(frame, stale);
    },
  };
}

/** How well each fits, the best one counting 1. */
function fitByWords(query: string, found: readonly FoundFrame[]): ReadonlyMap<string, number> {
  const index = new TextIndex(FIELDS);
  for (const { id, path, content } of found) index.add(id, { path, content: content.slice(0, LONGEST_TEXT) });
  const hits = index.search(tellingWords(query), found.length);
  const best = hits[0]?.score ?? 1;
  return new Map(hits.map(({ id, score }) => [id, score / best]));
}

/** The words that say something. Those that look like paths are not looked for word by word: the paths are named, or not. */
function tellingWords(query: string): string {
  const words = query.replaceAll(/\S*[./]\S+/gu, ' ').split(/\s+/u);
  const telling = new Set(termsOf(words.join(' ')));
  return words.filter((word) => termsOf(word).some((term) => telling.has(term))).join(' ');
}

function candidate(frame: FoundFrame, fit: number): PackCandidate {
  const { id, named, stale } = frame;
  const weight = Math.max(named === undefined ? 0 : WEIGHTS[named], WEIGHTS.words * fit);
  return {
    kind: 'frame',
    id: stale ? `${STALE}${id}` : id,
    text: tell(frame, stale),
    score: Math.round(weight * (stale ? STALE_SHARE : 1) * 1e6) / 1e6,
    untrusted: true,
  };
}

function tell({ path, type, agent, content }: PackFrame, stale: boolean): string {
  const about = `${path === '' ? 'the workspace' : path} (${type} by ${agent}${stale ? '; it has changed since' : ''})`;
  const said = content.length > LONGEST_TEXT ? `${content.slice(0, LONGEST_TEXT).toWellFormed()} …` : content;
  return `${about}: ${said.trim()}`;
}
