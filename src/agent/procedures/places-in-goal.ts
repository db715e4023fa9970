import { type GoalPart, isFiller } from '../../language/index.ts';

const PLACES: ReadonlySet<string> = new Set('in inside within under from of at'.split(' '));
const PLACING: ReadonlySet<string> = new Set('through across throughout below between inside'.split(' '));
const FOLDER_WORDS: ReadonlySet<string> = new Set(['folder', 'directory', 'file', 'folders', 'directories']);
/** Common nouns. */
const COMMON_NOUNS: ReadonlySet<string> = new Set(
  'note notes document documents report reports summary overview project output draft drafts record records result results list lists store tree root workspace'.split(
    ' ',
  ),
);
/** Common nouns that are also verbs. */
const VERBS: ReadonlySet<string> = new Set('note document report draft record list store output'.split(' '));
/** Words for the workspace itself, with "the" before them. */
const HERE: ReadonlySet<string> = new Set(
  'project workspace repository repo codebase tree root folder directory'.split(' '),
);
/** Words after "in" and before "folder" that name nothing. */
const NO_NAMES: ReadonlySet<string> = new Set(
  'one single full whole entire complete short both each every some any which what where there them same'.split(
    ' ',
  ),
);

/** A path is a place; a quoted text or a word is one after `in` and similar words, and before "folder" or "for". */
export function isPlace(parts: readonly GoalPart[], i: number): boolean {
  const part = parts[i] as GoalPart;
  if (part.kind === 'path') return true;
  if (part.kind !== 'word' && part.kind !== 'quoted') return false;
  const after = parts[i + 1];
  return (
    PLACES.has(part.after ?? '') ||
    PLACING.has(wordBefore(parts, i) ?? '') ||
    (part.after === undefined && after?.text.toLowerCase() === 'for' && wordBefore(parts, i) !== undefined) ||
    (after?.kind === 'word' && FOLDER_WORDS.has(after.text.toLowerCase()) && part.after === undefined)
  );
}

/** Whether a word is common in goals, and may also be the name of a folder. */
export function isCommonNoun({ kind, text }: GoalPart): boolean {
  return kind === 'word' && COMMON_NOUNS.has(text.toLowerCase());
}

/** Whether a word may mean the workspace itself. */
export function isWorkspace(word: string): boolean {
  return HERE.has(word.toLowerCase());
}

/**
 * Whether a known word is in the position of a place, so that it may mean a folder of that name. `isSubject` says that it
 * is the subject of the procedure, as in "a list of todos".
 */
export function mayBePlace(
  parts: readonly GoalPart[],
  i: number,
  { verb, isSubject }: { readonly verb: string | undefined; readonly isSubject: boolean },
): boolean {
  const part = parts[i] as GoalPart;
  const word = part.text.toLowerCase();
  const before = parts[i - 1]?.text.toLowerCase() ?? '';
  if (!/^[\p{L}\p{N}_-]+$/u.test(word) || isFiller(part) || NO_NAMES.has(word)) return false;
  if (before === 'a' || before === 'an' || FOLDER_WORDS.has(word)) return false;
  if (isSubject && part.after === 'of') return false;
  if (HERE.has(word) && isArticle({ kind: 'word', text: before })) return false;
  const after = parts[i + 1]?.text.toLowerCase() ?? '';
  return (
    PLACES.has(part.after ?? '') ||
    PLACING.has(before) ||
    (part.after === undefined && after === 'for' && wordBefore(parts, i) === verb) ||
    (word !== verb && (after === 'folder' || after === 'directory'))
  );
}

/** The word before a part, without articles. */
function wordBefore(parts: readonly GoalPart[], i: number): string | undefined {
  let k = i - 1;
  while (k >= 0 && isArticle(parts[k] as GoalPart)) k -= 1;
  const before = parts[k];
  return before?.kind === 'word' ? before.text.toLowerCase() : undefined;
}

/** "docs and notes" are two places: a common noun that is no verb, right after another place. */
export function isOneMorePlace(parts: readonly GoalPart[], i: number): boolean {
  const [place, and, part] = [parts[i - 2], parts[i - 1], parts[i] as GoalPart];
  if (and?.text.toLowerCase() !== 'and' || !isCommonNoun(part)) return false;
  const isNoun = !VERBS.has(part.text.toLowerCase());
  return isNoun && place !== undefined && (place.kind === 'path' || PLACES.has(place.after ?? ''));
}

function isArticle({ kind, text }: GoalPart): boolean {
  return kind === 'word' && /^(?:a|an|the|my|our|this|that|folder|directory|file)$/i.test(text);
}
