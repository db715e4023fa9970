import { type Goal, readTokens, type Token, tidyPath } from '../../language/index.ts';

/**
 * A goal as one line of words, for patterns that must match all of it in any case. Files are taken out of the line; every
 * other value is a mark such as `@q3`, which `plain` turns back into its text.
 */
export interface GoalPhrase {
  readonly line: string;
  /** The line with its files, as marks such as `@p3`. */
  readonly whole: string;
  /** The files and folders that the goal is about, in order. */
  readonly sources: readonly string[];
  /** The file for the result: the path after "into", "to" or "as". */
  readonly target: string | undefined;
  /** The original text of a piece of the line. A quoted text keeps double quotes if `quotes` is set. */
  plain(piece: string, quotes?: 'quotes'): string;
}

const POLITE =
  /^(?:(?:please|kindly|hey|hi|hello|oka|ok|okay|so|can|could|would|will|you|i|we|want|need|like|i'd|i’d|we'd|to|let's|lets|let|us|just|now|then|help|me|know|go ahead and)(?:,? |$))+/i;
const POLITE_END = /(?:,? (?:please|thanks|thank you|for me|now|ok|okay|right now|here))+$/i;
const KINDS = '(?:csv|tsv|json|jsonl|json lines|data|markdown|text|log|yaml|output|result)';
const NOUNS = '(?:file|files|table|tables|dataset|document|note|report|folder|directory|log)';
const ARTICLES = "(?:the|my|our|this|that|a|an|another|both|two|file's)";
const NAMED = `(?:${ARTICLES} )?(?:new )?(?:${KINDS} )?(?:${NOUNS} )?(?:(?:called|named) )?`;
const RESULTS =
  '(?:it|them|that|this|those|these|everything|both|the (?:result|results|output|rows|list|table|answer|lines|matches|report))';
const TARGET = new RegExp(
  `(?:,? ?(?:and )?(?:then )?(?:save|write|put|store|export|output|record|collect)(?: ${RESULTS})? (?:into|to|as|in|under) |(?:^|,? )(?:and )?(?:into|to|as) )${NAMED}@p(\\d+)(?: file)?`,
  'gi',
);
const SOURCE = `(?:(?:in|of|from|for|on|inside|within|using|at|under|across) )?${NAMED}@p\\d+(?: (?:file|table|folder|directory))?`;
const SOURCES = new RegExp(
  `(?:^|,? )${SOURCE}(?:(?:, and|,| and| with| or| plus) ${SOURCE})*(?=$|,| )`,
  'gi',
);
const OPERATOR = /^(.*[^<>=!])(>=|<=|!=|<>|==|=|>|<)([^<>=].*)$/;
const FILE_IN_QUOTES = /^[^\s"'][^"']*\.[a-z][a-z0-9]{0,7}$|^[^\s]+\/$/i;
const MARKS: Readonly<Record<string, string>> = { path: 'p', quoted: 'q', url: 'u', number: 'n', date: 'd' };

/** Reads a goal of one sentence; undefined for several sentences. */
export function readPhrase(goal: Goal): GoalPhrase | undefined {
  const tokens = withoutEnd(readTokens(goal.text).flatMap(splitOperators));
  if (tokens.length === 0 || tokens.some(({ kind }) => kind === 'stop')) return undefined;
  if (tokens.some(({ kind, text }) => kind === 'word' && text.startsWith('@'))) return undefined;
  const words = tokens.map(markOf).join(' ').replaceAll(' ,', ',');
  const polite = words.replace(POLITE, '').replace(POLITE_END, '');
  const textAt = (mark: string): string => tokens[Number(mark)]?.text ?? '';
  const { line: rest, target } = takeTarget(polite);
  const sources: string[] = [];
  const line = rest.replaceAll(SOURCES, (found) => {
    for (const [, mark = ''] of found.matchAll(/@p(\d+)/g)) sources.push(tidyPath(textAt(mark)));
    return ' ';
  });
  return {
    line: tidy(line),
    whole: tidy(polite),
    sources: [...new Set(sources)],
    target: target === undefined ? undefined : tidyPath(textAt(target)),
    plain: (piece, quotes) =>
      piece.replaceAll(/@([a-z])(\d+)/g, (_, kind: string, mark: string) =>
        quotes && kind === 'q' ? `"${textAt(mark)}"` : textAt(mark),
      ),
  };
}

/** The last path after a word such as "into". */
function takeTarget(line: string): { readonly line: string; readonly target: string | undefined } {
  const found = [...line.matchAll(TARGET)].at(-1);
  if (found === undefined) return { line, target: undefined };
  const end = found.index + found[0].length;
  return { line: `${line.slice(0, found.index)} ${line.slice(end)}`, target: found[1] };
}

function tidy(line: string): string {
  return line
    .replaceAll(/\s+/g, ' ')
    .replaceAll(' ,', ',')
    .replace(/^[, ]+|[, ]+$/g, '')
    .replace(POLITE, '')
    .replace(POLITE_END, '')
    .replace(/^and |[,:]$| and$/gi, '')
    .trim();
}

function markOf(token: Token, i: number): string {
  if (token.kind === 'comma') return ',';
  const kind = token.kind === 'quoted' && FILE_IN_QUOTES.test(token.text) ? 'path' : token.kind;
  const mark = MARKS[kind];
  return mark === undefined ? token.text.replaceAll('’', "'") : `@${mark}${i}`;
}

function withoutEnd(tokens: readonly Token[]): readonly Token[] {
  const end = tokens.findLastIndex(({ kind }) => kind !== 'stop' && kind !== 'comma');
  return tokens.slice(0, end + 1);
}

/** "amount>100" is three tokens. */
function splitOperators(token: Token): Token[] {
  const match = token.kind === 'word' || token.kind === 'path' ? OPERATOR.exec(token.text) : null;
  if (!match) return [token];
  const [, left = '', operator = '', right = ''] = match;
  const place = { start: token.start, end: token.end };
  return [
    ...readTokens(left),
    { kind: 'word', text: operator, ...place },
    ...readTokens(right).map((one) => ({ ...one, ...place })),
  ];
}
