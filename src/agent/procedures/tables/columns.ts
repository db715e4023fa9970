import { distance } from 'fastest-levenshtein';
import { stem } from '../../../retrieval/index.ts';

/** A found column, or why there is none. */
export type FoundColumn = { readonly column: number } | { readonly problem: string };

const ARTICLE = /^(?:the|my|our|a|an|all|each|every|its|their) /i;
const NOUN = / (?:columns?|fields?|values?)$/i;
const NOUN_BEFORE = /^(?:columns?|fields?) /i;
const MAX_SHOWN = 30;

/** The column that a phrase of a goal names: in any case, with or without "the … column", in singular or plural. */
export function findColumn(columns: readonly string[], phrase: string): FoundColumn {
  const said = phrase.trim().replaceAll('"', '');
  const short = said.replace(ARTICLE, '').replace(NOUN, '').replace(NOUN_BEFORE, '');
  const ways: ((name: string) => boolean)[] = [
    (name) => name === said,
    (name) => name.toLowerCase() === said.toLowerCase(),
    (name) => spaced(name) === spaced(said),
    (name) => spaced(name) === spaced(short),
    (name) => stemmed(name) === stemmed(short),
  ];
  for (const fits of ways) {
    const found = columns.flatMap((name, i) => (fits(name) ? [i] : []));
    if (found.length === 1) return { column: found[0] as number };
    if (found.length > 1) {
      const names = found.map((i) => `"${columns[i]}"`).join(' and ');
      return { problem: `"${short}" may mean the columns ${names}; write the name exactly` };
    }
  }
  return { problem: noColumn(columns, short) };
}

/** The columns of a list such as "name, age and city". */
export function findColumns(
  columns: readonly string[],
  phrase: string,
): { readonly columns: readonly number[] } | { readonly problem: string } {
  const whole = findColumn(columns, phrase);
  if ('column' in whole) return { columns: [whole.column] };
  const pieces = phrase
    .replace(NOUN, '')
    .split(/,\s*and\s+|,\s*|\s+and\s+/)
    .filter((piece) => piece.trim() !== '');
  if (pieces.length < 2) return whole;
  const found = pieces.map((piece) => findColumn(columns, piece));
  const problem = found.find((one) => 'problem' in one);
  if (problem) return problem as { problem: string };
  return { columns: found.map((one) => (one as { column: number }).column) };
}

/** The column that begins a phrase, and the rest of the phrase; the longest name wins. */
export function leadingColumn(
  columns: readonly string[],
  phrase: string,
): { readonly column: number; readonly rest: string } | undefined {
  const words = phrase.split(' ');
  for (let length = words.length; length > 0; length--) {
    const found = findColumn(columns, words.slice(0, length).join(' '));
    if ('column' in found) return { column: found.column, rest: words.slice(length).join(' ').trim() };
  }
  return undefined;
}

export function columnNames(columns: readonly string[]): string {
  const shown = columns.slice(0, MAX_SHOWN).map((name) => `"${name}"`);
  const rest = columns.length - shown.length;
  return `${shown.join(', ')}${rest > 0 ? ` and ${rest} more` : ''}`;
}

function noColumn(columns: readonly string[], said: string): string {
  const near = columns.filter((name) => distance(spaced(name), spaced(said)) <= 2 && said.length > 2);
  const guess = near.length === 0 ? '' : ` Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`;
  return `it has no column "${said}".${guess} Its columns are ${columnNames(columns)}`;
}

function spaced(name: string): string {
  return name
    .replaceAll(/([\p{Ll}\p{N}])(\p{Lu})/gu, '$1 $2')
    .toLowerCase()
    .replaceAll(/[\s_.-]+/g, ' ')
    .trim();
}

function stemmed(name: string): string {
  return spaced(name).split(' ').map(stem).join(' ');
}
