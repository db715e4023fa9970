import { termsOf } from '../../retrieval/index.ts';
import { splitText } from '../split-text.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { PackSpan } from './types.ts';

/** The passage of a long text that fits a goal best; undefined if the whole text is short enough. */
export function bestPassage(text: string, goal: string, maxTokens: number): PackSpan | undefined {
  if (estimateTokens(text) <= maxTokens) return undefined;
  const pieces = splitText(text);
  if (pieces.length === 1) return undefined;
  const terms = pieces.map((piece) => new Set(termsOf(piece.text)));
  const wanted = [...new Set(termsOf(goal))];
  // A word in every passage tells nothing about any of them.
  const weights = wanted.map((term) => 1 / Math.max(1, terms.filter((held) => held.has(term)).length));
  const scores = terms.map((held) =>
    wanted.reduce((sum, term, i) => sum + (held.has(term) ? (weights[i] as number) : 0), 0),
  );
  const { start, text: found } = pieces[scores.indexOf(Math.max(...scores))] as (typeof pieces)[number];
  return { start, end: start + found.length };
}
