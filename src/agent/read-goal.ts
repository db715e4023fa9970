import type { Goal, GoalPart } from './types.ts';

const LINKS: ReadonlySet<string> = new Set(
  'to into as in inside within under from of for about at on with by until'.split(' '),
);
/** Words that may stand between a linking word and its value. */
const FILLERS: ReadonlySet<string> = new Set(
  'a an the this that these those my our file files folder directory path text named called'.split(' '),
);
const POLITE: ReadonlySet<string> = new Set(
  'please kindly can could would will you i we want need like lets let us me just now then go ahead and help to'.split(
    ' ',
  ),
);
const HERE: ReadonlySet<string> = new Set(
  'folder directory project repo repository workspace codebase'.split(' '),
);
const NOT_PATHS: ReadonlySet<string> = new Set(['and/or', 'either/or', 'yes/no', 'n/a', 'e.g', 'i.e', 'etc']);

const PIECE =
  /"([^"]*)"|“([^“”]*)”|«([^«»]*)»|`([^`]*)`|(?<![\p{L}\p{N}])'([^']*)'(?![\p{L}\p{N}])|([^\s([{"“«`]\S*)/gu;
const URL_LIKE = /^https?:\/\/\S+$/i;
const DATE_LIKE = /^\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?(?:Z|[+-]\d{2}:?\d{2})?)?$/;
const NUMBER_LIKE = /^[+-]?\d+(?:\.\d+)?$/;
const FILE_LIKE = /^(?:[^\s/]*[\p{L}\p{N}_-])?\.[\p{L}][\p{L}\p{N}]*$/u;

/** Reads a goal: its verb, and the quoted texts, paths, addresses, numbers and dates in it. */
export function readGoal(text: string): Goal {
  const parts = linked(gatherHere(split(text)));
  const verb = parts.find((part) => part.kind !== 'word' || !POLITE.has(part.text.toLowerCase()));
  const target = parts.find((part) => part !== verb && TOWARDS.has(part.after ?? '') && !isFiller(part));
  return {
    text,
    parts,
    ...(verb?.kind === 'word' ? { verb: verb.text.toLowerCase() } : {}),
    ...(target ? { target } : {}),
  };
}

const TOWARDS: ReadonlySet<string> = new Set(['to', 'into', 'as']);

/** True for a word that only links or fills, and so names nothing. */
export function isFiller(part: GoalPart): boolean {
  const word = part.text.toLowerCase();
  return (
    part.kind === 'word' && (LINKS.has(word) || FILLERS.has(word) || POLITE.has(word) || EMPTY.has(word))
  );
}

const EMPTY: ReadonlySet<string> = new Set(
  'all any everything anything something contents here there it its is are be what which where who how do does'.split(
    ' ',
  ),
);

/** A path as a file name with an extension, not as a folder. */
export function looksLikeFile(path: string): boolean {
  return FILE_LIKE.test(path.slice(path.lastIndexOf('/') + 1));
}

/** The same place written in one way: no `./` in front, no `/` at the end. */
export function tidyPath(path: string): string {
  const tidy = path
    .replace(/\/{2,}/g, '/')
    .replace(/^(?:\.\/)+/, '')
    .replace(/(.)\/$/, '$1');
  return tidy === '' ? '.' : tidy;
}

function split(text: string): GoalPart[] {
  return [...text.matchAll(PIECE)].flatMap((match) => {
    const quoted = match.slice(1, 6).find((group) => group !== undefined);
    if (quoted !== undefined) return [{ kind: 'quoted' as const, text: quoted }];
    const part = classify(match[6] as string, /\s/.test(text[match.index - 1] ?? ' '));
    return part ? [part] : [];
  });
}

/** `alone` says that white space stands before the piece, so that dots are a path and not the end of a sentence. */
function classify(piece: string, alone: boolean): GoalPart | undefined {
  if (alone && /^\.{1,2}\/?$/.test(piece)) return { kind: 'path', text: piece };
  const text = piece.replace(/[.,;:!?)\]}"”»'`]+$/, '');
  if (text === '') return undefined;
  if (URL_LIKE.test(text)) return { kind: 'url', text };
  if (DATE_LIKE.test(text)) return { kind: 'date', text };
  if (NUMBER_LIKE.test(text)) return { kind: 'number', text };
  const path = !NOT_PATHS.has(text.toLowerCase()) && (text.includes('/') || FILE_LIKE.test(text));
  return { kind: path ? 'path' : 'word', text };
}

/** "this folder" and the like are the path `.`. */
function gatherHere(parts: readonly GoalPart[]): GoalPart[] {
  const gathered: GoalPart[] = [];
  for (const part of parts) {
    const before = gathered.at(-1)?.text.toLowerCase();
    const here =
      part.kind === 'word' &&
      HERE.has(part.text.toLowerCase()) &&
      (before === 'this' || before === 'current');
    if (here) gathered.splice(-1, 1, { kind: 'path', text: '.' });
    else gathered.push(part);
  }
  return gathered;
}

function linked(parts: readonly GoalPart[]): GoalPart[] {
  let after: string | undefined;
  return parts.map((part) => {
    const word = part.kind === 'word' ? part.text.toLowerCase() : undefined;
    const told = after === undefined ? part : { ...part, after };
    if (word !== undefined && LINKS.has(word)) after = word;
    else if (word === undefined || !FILLERS.has(word)) after = undefined;
    return told;
  });
}
