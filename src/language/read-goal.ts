import { readNumberWords } from './number-words.ts';
import type { Goal, GoalPart, Token } from './types.ts';
import {
  DETERMINERS,
  HERE,
  isFillerWord,
  isPolite,
  isPronoun,
  isQuantifier,
  LINKS,
  NOT_PATHS,
  PLACES,
  SUBJECTS,
  TOWARDS,
} from './vocabulary.ts';

const PIECE =
  /(?<break>(?:^|\n)[ \t]*(?:\d{1,3}[.)]|[-*•])\s+|\n)|"([^"]*)"|“([^“”]*)”|«([^«»]*)»|`([^`]*)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])|(\{\{[^{}]+\}\})|(?<piece>[^\s([{"“«`][^\s"“«`]*)/gu;
const CLOSING = /[.,;:!?)\]}"”»'`]+$/;
const URL_LIKE = /^https?:\/\/\S+$/i;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER_LIKE = /^[+-]?\d+(?:\.\d+)?$/;
const FILE_LIKE = /^(?:[^\s/]*[\p{L}\p{N}_-])?\.[\p{L}][\p{L}\p{N}]*$/u;
const TEMPLATE = /^\{\{[^{}]+\}\}$/;

/** Reads a goal: its verb, and the quoted texts, paths, addresses, numbers and dates in it. */
export function readGoal(text: string): Goal {
  return goalOf(readTokens(text), text);
}

/** The goal of some tokens of a text. */
export function goalOf(tokens: readonly Token[], text: string = textOf(tokens)): Goal {
  const parts = linked(tokens);
  const verb = parts.find(({ kind, text: word }) => kind !== 'word' || !isPolite(word));
  const target = parts.find((part) => part !== verb && TOWARDS.has(part.after ?? '') && !isFiller(part));
  return {
    text,
    parts,
    ...(verb?.kind === 'word' ? { verb: verb.text.toLowerCase() } : {}),
    ...(target ? { target } : {}),
  };
}

/** Splits a text into words, values and the ends of clauses. A quoted text is one value, also over several lines. */
export function readTokens(text: string): Token[] {
  return readNumberWords(replacePhrases([...text.matchAll(PIECE)].flatMap(tokensOf)));
}

/** The tokens as text. */
export function textOf(tokens: readonly Token[]): string {
  return tokens
    .map((token) =>
      token.kind === 'quoted' && !isTemplate(token) ? `"${token.text}"` : (token.said ?? token.text),
    )
    .join(' ')
    .replaceAll(/ ([,\n])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

/** True for a token that is used literally. */
export function isValue({ kind }: Pick<Token, 'kind'>): boolean {
  return kind !== 'word' && kind !== 'comma' && kind !== 'stop';
}

/** True for a value such as `{{input.text}}`, which a graph fills in when it runs. */
export function isTemplate({ kind, text }: Pick<Token, 'kind' | 'text'>): boolean {
  return kind === 'quoted' && TEMPLATE.test(text);
}

/** The word in lower case; empty for a value. */
export function wordOf(token: Token | undefined): string {
  return token?.kind === 'word' ? token.text.toLowerCase() : '';
}

/** True for a word that names nothing. */
export function isFiller({ kind, text }: Pick<Token, 'kind' | 'text'>): boolean {
  return kind === 'word' && isFillerWord(text);
}

/** True for a word that may be the name of something. */
export function isName({ kind, text }: GoalPart): boolean {
  return kind === 'word' && !isPronoun(text) && !isQuantifier(text);
}

/** The words after "for" or "about", up to the next place or a taken part; undefined without one. */
export function subjectOf(
  { parts }: Goal,
  isTaken: (part: GoalPart) => boolean,
): readonly GoalPart[] | undefined {
  const link = parts.findIndex(({ kind, text }) => kind === 'word' && SUBJECTS.has(text.toLowerCase()));
  if (link < 0) return undefined;
  const first = parts.findIndex((part, i) => i > link && !isFiller(part));
  const rest = first < 0 ? [] : parts.slice(first);
  const ends = (part: GoalPart): boolean =>
    (part.kind !== 'word' && !isNumberWord(part)) || PLACES.has(part.text.toLowerCase()) || isTaken(part);
  const end = rest.findIndex(ends);
  const words = end < 0 ? rest : rest.slice(0, end);
  return words.slice(0, words.findLastIndex((part) => !isFiller(part)) + 1);
}

/** True for a number that was written as words. */
function isNumberWord({ kind, said }: GoalPart): boolean {
  return kind === 'number' && said !== undefined;
}

/** True for a path that is a file name with an extension, not a folder. */
export function looksLikeFile(path: string): boolean {
  return FILE_LIKE.test(path.slice(path.lastIndexOf('/') + 1));
}

/** A path in its normal form: no `./` in front, no `/` at the end. */
export function tidyPath(path: string): string {
  const tidy = path
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(.)\/$/, '$1');
  return tidy === '' ? '.' : tidy;
}

function tokensOf(match: RegExpExecArray): Token[] {
  const { index: start, input, groups = {} } = match;
  const end = start + match[0].length;
  if (groups['break'] !== undefined)
    return groups['break'].includes('\n') ? [{ kind: 'stop', text: '\n', start, end }] : [];
  const { piece } = groups;
  if (piece === undefined) {
    const template = match[7]?.replaceAll(/\s/g, '');
    const quoted = match.slice(2, 7).find((group) => group !== undefined);
    return [{ kind: 'quoted', text: template ?? quoted ?? '', start, end }];
  }
  // Dots after white space are a path; elsewhere they end a sentence.
  const alone = /\s/.test(input[start - 1] ?? ' ');
  if (alone && /^\.{1,2}\/?$/.test(piece)) return [{ kind: 'path', text: piece, start, end }];
  const closing = CLOSING.exec(piece)?.[0] ?? '';
  const text = piece.slice(0, piece.length - closing.length);
  const middle = start + text.length;
  const ends = NOT_PATHS.has(text.toLowerCase()) ? undefined : breakIn(closing);
  return [
    ...(text === '' ? [] : [{ kind: kindOf(text), text, start, end: middle }]),
    ...(ends ? [{ kind: ends, text: closing, start: middle, end }] : []),
  ];
}

function breakIn(closing: string): 'stop' | 'comma' | undefined {
  if (/[.;!?]/.test(closing)) return 'stop';
  return closing.includes(',') ? 'comma' : undefined;
}

function kindOf(text: string): GoalPart['kind'] {
  if (URL_LIKE.test(text)) return 'url';
  if (DATE_LIKE.test(text)) return 'date';
  if (NUMBER_LIKE.test(text)) return 'number';
  const path = !NOT_PATHS.has(text.toLowerCase()) && (text.includes('/') || FILE_LIKE.test(text));
  return path ? 'path' : 'word';
}

/** Replaces phrases: "this folder" is the path `.`, "as well as" is "and", "after that" is "then". */
function replacePhrases(tokens: readonly Token[]): Token[] {
  const found: Token[] = [];
  const replace = (count: number, last: Token, token: Pick<Token, 'kind' | 'text'>): void => {
    const words = [...found.splice(-count), last];
    const said = words.map(({ text }) => text).join(' ');
    found.push({ ...token, said, start: words[0]?.start ?? last.start, end: last.end });
  };
  for (const token of tokens) {
    const word = wordOf(token);
    const [before, second] = [wordOf(found.at(-1)), wordOf(found.at(-2))];
    if (HERE.has(word) && (before === 'this' || before === 'current'))
      replace(1, token, { kind: 'path', text: '.' });
    else if (word === 'as' && before === 'well' && second === 'as')
      replace(2, token, { kind: 'word', text: 'and' });
    else if (word === 'that' && before === 'after') replace(1, token, { kind: 'word', text: 'then' });
    else found.push(token);
  }
  return found;
}

function linked(tokens: readonly Token[]): GoalPart[] {
  let after: string | undefined;
  return tokens.flatMap(({ kind, text, said }) => {
    if (kind === 'comma' || kind === 'stop') return [];
    const part: GoalPart = {
      kind,
      text,
      ...(said === undefined ? {} : { said }),
      ...(after === undefined ? {} : { after }),
    };
    const word = kind === 'word' ? text.toLowerCase() : undefined;
    if (word !== undefined && LINKS.has(word)) after = word;
    else if (word === undefined || !DETERMINERS.has(word)) after = undefined;
    return [part];
  });
}
