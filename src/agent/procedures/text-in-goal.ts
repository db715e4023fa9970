// Owns: reading "create FILE with the text …", "write … into FILE" and "append … to FILE".
// I1 A text without quotes is certain only after words such as "with the text"; else a person confirms it.
// I2 A text without quotes that may hold another step is not read at all, so that no step becomes text.

import { type Goal, isFiller, readTokens, TOOL_VERBS, type Token, tidyPath } from '../../language/index.ts';

export interface TextToWrite {
  readonly file: string;
  readonly text: string;
  /** `create` does not replace a file without asking. */
  readonly how: 'create' | 'replace' | 'append';
  /** Whether the goal marks what the text is. */
  readonly certain: boolean;
}

const CREATING: ReadonlySet<string> = new Set(['create', 'make', 'start', 'touch']);
const WRITING: ReadonlySet<string> = new Set(['write', 'put', 'save', 'store']);
const ADDING: ReadonlySet<string> = new Set(['append', 'add']);
/** Words between the verb and the file, or right before the text. */
const BETWEEN =
  /^(?:a|an|the|new|empty|blank|text|markdown|file|note|called|named|me|us|in|into|to|as|end|of|at|and|it)$/i;
/** Words after which everything is the text. */
const MARKERS =
  /^(?:(?:(?:that |which |and )?(?:says?|reads?)|saying|reading)(?: just| only)?|(?:with|containing|(?:that |which )(?:contains?|holds?)|holding|and (?:write|put))(?: just| only)?(?: the| this)?(?: single| one| first)? (?:text|contents?|words?|line|sentence|message))(?=[\s:]|$)\s*:?\s*/i;
/** Words before a text or a description of one. */
const WEAK_MARKERS = /^(?:with|containing|(?:that|which) (?:contains?|holds?)|and (?:write|put))\s+/i;
const LABEL =
  /^(?:(?:the|this|a)(?: new)? )?(?:text|words?|line|sentence|entry|item)(?: (?:saying|that says))?(?=[\s:])\s*:?\s*/i;
/** Words that begin a noun phrase: "a poem about spring" is to be written by someone, "buy milk" is a text. */
const DESCRIBES = /^(?:a|an|the|some|my|our|your|its|this|that|these|those|all|every|each|more|it|them)\b/i;
const STEP_VERBS: ReadonlySet<string> = new Set(
  [
    ...TOOL_VERBS,
    'append',
    'add',
    'copy',
    'make',
    'count',
    'collect',
    'summarise',
    'summarize',
    'check',
    'compare',
  ].concat(
    'convert merge sort filter tell commit zip archive unpack extract replace rename remind schedule translate'.split(
      ' ',
    ),
  ),
);
const TEXT_FILE = /\.(?:txt|md|markdown|log|csv|todo|org|rst)$/i;
const MAX_TEXT_LENGTH = 4_000;

/** The text that a goal wants in a file; undefined when it is about something else. */
export function textInGoal(goal: Goal): TextToWrite | undefined {
  const tokens = readTokens(goal.text).filter(({ kind }) => kind !== 'comma' && kind !== 'stop');
  const at = tokens.findIndex(({ kind, text }) => kind === 'word' && text.toLowerCase() === goal.verb);
  const verb = goal.verb ?? '';
  if (at < 0 || ![CREATING, WRITING, ADDING].some((verbs) => verbs.has(verb))) return undefined;
  const rest = tokens.slice(at + 1);
  return (ADDING.has(verb) ? undefined : fileThenText(goal, verb, rest)) ?? textThenFile(goal, verb, rest);
}

/** "create hello.txt with the text hi", "append to notes.txt: x". */
function fileThenText(goal: Goal, verb: string, rest: readonly Token[]): TextToWrite | undefined {
  const [at, file] = firstFile(rest);
  if (file === undefined || !rest.slice(0, at).every(isBetween)) return undefined;
  const after = goal.text.slice(file.end);
  const how = CREATING.has(verb) ? 'create' : 'replace';
  const said = after.trim().replace(/[.!]$/, '');
  const isEmpty = rest.some(({ text }) => /^(?:empty|blank)$/i.test(text));
  if (said === '')
    return how === 'create' || isEmpty
      ? { file: pathOf(file), text: '', how: 'create', certain: true }
      : undefined;
  const words = after.trimStart();
  const to = { file: pathOf(file), how } as const;
  const marker = MARKERS.exec(words)?.[0] ?? /^:\s*/.exec(words)?.[0];
  if (marker !== undefined) return textFrom(words.slice(marker.length), { ...to, certain: true });
  const weak = WEAK_MARKERS.exec(words)?.[0];
  if (weak === undefined) return undefined;
  const text = words.slice(weak.length).replace(/ in it\W*$/i, '');
  // The tool writes a quoted text.
  const isQuoted = readTokens(text)[0]?.kind === 'quoted';
  if (isQuoted || DESCRIBES.test(text) || !TEXT_FILE.test(to.file)) return undefined;
  return textFrom(text, { ...to, certain: false });
}

/** "write hi into hello.txt", "add the line x to notes.txt". */
function textThenFile(goal: Goal, verb: string, rest: readonly Token[]): TextToWrite | undefined {
  const file = rest.findLast(({ kind, text }) => kind !== 'word' || !/^(?:please|thanks)$/i.test(text));
  const first = rest[0];
  if (!file || !first || !isFile(file) || first === file) return undefined;
  const how = ADDING.has(verb) ? 'append' : CREATING.has(verb) ? 'create' : 'replace';
  const links =
    how === 'append'
      ? /\s(?:to|into|in|at|onto)(?:\s+the)?(?:\s+(?:end|bottom)\s+of)?(?:\s+the|\s+my)?(?:\s+file)?\s*$/i
      : /\s(?:to|into|in|as)(?:\s+(?:a|an|the))?(?:\s+new)?(?:\s+(?:text\s+)?file)?(?:\s+(?:called|named))?\s*$/i;
  const between = goal.text.slice(first.start, file.start);
  const link = links.exec(between);
  if (!link) return undefined;
  const said = between.slice(0, link.index);
  const label = first.kind === 'quoted' ? undefined : LABEL.exec(said)?.[0];
  const text = said.slice(label?.length ?? 0).trim();
  const isQuoted = rest
    .filter((token) => token !== file && !isBetween(token))
    .every(({ kind }) => kind === 'quoted');
  // The tool writes a quoted text.
  if (isQuoted && label === undefined && how === 'replace') return undefined;
  if (!isQuoted && label === undefined && (DESCRIBES.test(text) || !TEXT_FILE.test(pathOf(file))))
    return undefined;
  return textFrom(text, { file: pathOf(file), how, certain: isQuoted || label !== undefined });
}

function textFrom(said: string, to: Omit<TextToWrite, 'text'>): TextToWrite | undefined {
  const tokens = readTokens(said);
  const [only, more] = tokens.filter(({ kind }) => kind !== 'stop');
  if (!only || said.length > MAX_TEXT_LENGTH) return undefined;
  if (only.kind === 'quoted' && more === undefined) return { ...to, text: only.text };
  if (only.kind === 'quoted' || mayHoldStep(tokens)) return undefined;
  const text = said.trim();
  return { ...to, text: /\s/.test(text) ? text : text.replace(/[.!]$/, '') };
}

/** Whether a text without quotes may say what to do next. */
function mayHoldStep(tokens: readonly Token[]): boolean {
  return tokens.some(({ kind, text }, i) => {
    if (kind === 'stop') return i < tokens.length - 1;
    const next = tokens[i + 1];
    const joins = kind === 'comma' || /^(?:and|also)$/i.test(text);
    return (
      /^(?:then|afterwards|finally)$/i.test(text) ||
      (joins && next?.kind === 'word' && STEP_VERBS.has(next.text.toLowerCase()))
    );
  });
}

function firstFile(rest: readonly Token[]): readonly [number, Token | undefined] {
  const at = rest.findIndex((token) => isFile(token));
  return [at, rest[at]];
}

function isFile({ kind, text }: Token): boolean {
  return (
    (kind === 'path' && !text.endsWith('/')) ||
    (kind === 'quoted' && /[\p{L}\p{N}]\.[\p{L}\p{N}]{1,8}$/u.test(text))
  );
}

function isBetween(token: Token): boolean {
  return token.kind === 'word' && (BETWEEN.test(token.text) || isFiller(token));
}

function pathOf({ text }: Token): string {
  return tidyPath(text);
}
