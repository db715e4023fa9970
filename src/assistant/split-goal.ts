/** Pieces of a goal that "and" or a comma separates; `joins[i]` is the separator after the i-th. */
export interface Stage {
  readonly pieces: readonly string[];
  readonly joins: readonly string[];
}

const MAX_PIECES = 20;
/** Separators that order two pieces. */
const AFTER = /\s*(?:[,;.]\s*)?\b(?:and\s+)?(?:then|afterwards|after\s+that|finally)\b[,:]?\s+|\s*;\s+/giu;
/** The end of a sentence that another one follows. */
const SENTENCE = /(?<=[^\s.][.!?])\s+(?=\p{Lu})/gu;
/** Separators that set no order. */
const UNORDERED = /\s*,\s*(?:and\s+|as\s+well\s+as\s+)?|\s+and\s+(?:also\s+)?|\s+as\s+well\s+as\s+/giu;
const QUOTED = /"[^"]*"|“[^“”]*”|«[^«»]*»|`[^`]*`|(?<![\p{L}\p{N}])'[^']*'(?![\p{L}\p{N}])/gu;
const BULLET = /^\s*(?:[-*•]\s+|\d+[.)]\s+)/u;
const FIRST = /^(?:first(?:ly)?|then|next|finally|and)\b[,:]?\s+/iu;

/** Splits a goal into stages that run in sequence, each with its unordered pieces. Quotes stay whole. */
export function splitGoal(goal: string): readonly Stage[] {
  const whole = [{ pieces: [goal], joins: [] }];
  if (goal.length > 4_000) return whole;
  const stages = splitAt(goal, /\n+/g)
    .pieces.map((line) => line.replace(BULLET, ''))
    .flatMap((line) => splitAt(line, SENTENCE).pieces)
    .flatMap((sentence) => splitAt(sentence, AFTER).pieces)
    .map(tidy)
    .filter((text) => text !== '')
    .map((text) => splitAt(text, UNORDERED));
  const count = stages.reduce((sum, { pieces }) => sum + pieces.length, 0);
  return stages.length === 0 || count > MAX_PIECES ? whole : stages;
}

/** Whether a goal names several stages. */
export function saysSeveral(goal: string): boolean {
  return splitGoal(goal).length > 1;
}

function splitAt(text: string, separator: RegExp): Stage {
  const quoted = [...text.matchAll(QUOTED)].map((match) => [match.index, match.index + match[0].length]);
  const pieces: string[] = [];
  const joins: string[] = [];
  let from = 0;
  for (const match of text.matchAll(separator)) {
    const { index } = match;
    const end = index + match[0].length;
    if (quoted.some(([start = 0, stop = 0]) => index < stop && end > start)) continue;
    pieces.push(text.slice(from, index));
    joins.push(match[0]);
    from = end;
  }
  return { pieces: [...pieces, text.slice(from)], joins };
}

function tidy(text: string): string {
  let bare = text.trim();
  while (FIRST.test(bare)) bare = bare.replace(FIRST, '');
  // Removes the full stop of a sentence, but not of a path such as "." or "..".
  return bare.replace(/(?<=[^\s./])[.!;,]+$/u, '').trim();
}
