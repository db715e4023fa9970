/** A piece of an intent: a word, a value that a person has given, or the end of a clause or sentence. */
export interface Token {
  readonly kind: 'word' | 'quoted' | 'template' | 'path' | 'url' | 'number' | 'date' | 'comma' | 'stop';
  readonly text: string;
}

const PIECE =
  /"([^"]*)"|“([^“”]*)”|«([^«»]*)»|`([^`]*)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])|(\{\{[^{}]+\}\})|([^\s"“«`]+)/gu;
const LIST_MARK = /^\s*(?:\d{1,3}[.)]|[-*•])\s+/;
const CLOSING = /[.,;:!?)\]]+$/;
const URL_LIKE = /^https?:\/\/\S+$/i;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER_LIKE = /^[+-]?\d+(?:\.\d+)?$/;
const FILE_LIKE = /^(?:[^\s/]*[\p{L}\p{N}_-])?\.\p{L}[\p{L}\p{N}]*$/u;
const NOT_PATHS: ReadonlySet<string> = new Set(['and/or', 'yes/no', 'n/a', 'e.g', 'i.e']);

/** Reads an intent into words, values and the places where clauses end. List marks are places too. */
export function readIntent(intent: string): Token[] {
  return intent
    .split(/\r?\n/)
    .flatMap((line) => [
      ...[...line.replace(LIST_MARK, '').matchAll(PIECE)].flatMap(tokensOf),
      { kind: 'stop' as const, text: '\n' },
    ]);
}

/** True for what a person has given to be used as it is. */
export function isValue({ kind }: Token): boolean {
  return kind !== 'word' && kind !== 'comma' && kind !== 'stop';
}

/** The tokens as a person would write them. */
export function textOfTokens(tokens: readonly Token[]): string {
  const words = tokens.map(({ kind, text }) => (kind === 'quoted' ? `"${text}"` : text));
  return words
    .join(' ')
    .replaceAll(/ ([,\n])/g, '$1')
    .replaceAll(/\s+/g, ' ')
    .trim();
}

function tokensOf(match: RegExpMatchArray): Token[] {
  const quoted = match.slice(1, 6).find((group) => group !== undefined);
  if (quoted !== undefined) return [{ kind: 'quoted', text: quoted }];
  if (match[6] !== undefined) return [{ kind: 'template', text: match[6].replaceAll(/\s/g, '') }];
  const piece = (match[7] as string).replace(/^[([]+/, '');
  const alone = /\s/.test(match.input?.[(match.index ?? 0) - 1] ?? ' ');
  if (alone && /^\.{1,2}\/?$/.test(piece)) return [{ kind: 'path', text: piece }];
  const closing = CLOSING.exec(piece)?.[0] ?? '';
  const text = piece.slice(0, piece.length - closing.length);
  const break_ = /[.;!?]/.test(closing) ? 'stop' : closing.includes(',') ? 'comma' : undefined;
  return [
    ...(text === '' ? [] : [{ kind: kindOf(text), text }]),
    ...(break_ ? [{ kind: break_, text: closing } as const] : []),
  ];
}

function kindOf(text: string): Token['kind'] {
  if (URL_LIKE.test(text)) return 'url';
  if (DATE_LIKE.test(text)) return 'date';
  if (NUMBER_LIKE.test(text)) return 'number';
  const path = !NOT_PATHS.has(text.toLowerCase()) && (text.includes('/') || FILE_LIKE.test(text));
  return path ? 'path' : 'word';
}
