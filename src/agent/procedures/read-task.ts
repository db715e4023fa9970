import { type Goal, type GoalPart, isFiller, looksLikeFile, tidyPath } from '../../language/index.ts';
import { stem } from '../../retrieval/index.ts';
import { isOneMorePlace, isPlace, isWorkspace, mayBePlace } from './places-in-goal.ts';

/** The words that a procedure knows, separated by spaces. A goal with any other word is not for it. */
export interface Vocabulary {
  /** Groups of words; the goal must have a word of each group. The first group is the subject. */
  readonly needs: readonly string[];
  /** Other words that such goals may have. */
  readonly also: string;
  /** A folder after `to` is an input, and not the folder of the note. */
  readonly folderAfterTo?: true;
}

export interface Task {
  /** The words that call for the procedure. */
  readonly said: string;
  /** The file for the result. */
  readonly note: string | undefined;
  /** Files and folders to inspect, as written in the goal. */
  readonly places: readonly string[];
  /** A common word such as "notes" in the position of a place; it is a place if there is such a folder. */
  readonly perhaps: string | undefined;
  /** The unknown parts: words, quoted texts, numbers, addresses. */
  readonly rest: readonly GoalPart[];
  /** Whether the goal has one of these words, separated by spaces, in any form. */
  has(words: string): boolean;
}

/** Words that goals of every procedure may have. */
export const GENERAL_WORDS = `find search look seek locate detect identify check scan list show tell give report see get display print know spot
  collect gather compile extract write save put store record make create prepare produce generate draft output note
  determine inspect examine review go walk there they them their that those these which what where who how many much
  every each some whole entire full complete any every still exist currently right thanks thank hi hey hello oka
  quick quickly also so if whether out up down over through across throughout recursively below between one place
  single result name named called have has had got do does did am is are was were i'd i'll i'm we'd we'll what's let's
  where's there's project workspace repository repo codebase tree root notes document markdown summary overview list
  table one place both short brief today asap kind it's inside`;
const GENERAL = stems(GENERAL_WORDS);
const TOWARDS: ReadonlySet<string> = new Set(['to', 'into', 'as']);
const NOTE_WORDS = stems('note report document file markdown');
const RESULTS: ReadonlySet<string> = new Set(
  'it them this these those everything results matches report summary overview'.split(' '),
);
const MAKING = stems('write create make save produce generate prepare draft update');

/** Reads a goal with the words that a procedure knows; undefined when it is about something else. */
export function readTask(goal: Goal, vocabulary: Vocabulary): Task | undefined {
  const parts = goal.parts.flatMap(splitWords);
  const words = parts.filter(({ kind }) => kind === 'word').map(({ text }) => stemOf(text));
  const has = (wanted: string): boolean => [...stems(wanted)].some((word) => words.includes(word));
  const { needs, also } = vocabulary;
  if (!needs.every(has)) return undefined;
  const noted = findNote(parts, goal, vocabulary);
  if (noted === 'unnamed') return undefined;
  const called = stems(needs.join(' '));
  const known = new Set([...called, ...stems(also)]);
  const subjects = stems(needs[0] ?? '');
  const places: string[] = [];
  const perhaps: string[] = [];
  const rest: GoalPart[] = [];
  for (const [i, part] of parts.entries()) {
    if (part === noted?.part) continue;
    if (isKnown(part, known) && !isOneMorePlace(parts, i)) {
      if (mayBePlace(parts, i, { verb: goal.verb, isSubject: subjects.has(stemOf(part.text)) }))
        perhaps.push(part.text);
    } else if (isPlace(parts, i)) places.push(tidyPath(part.text));
    else rest.push(part);
  }
  const said = parts.filter(({ kind, text }) => kind === 'word' && called.has(stemOf(text)));
  return {
    said: [...new Set(said.map(({ text }) => text))].join(' '),
    note: noted?.path,
    places: [...new Set(places)],
    perhaps: places.length > 0 ? undefined : perhaps[0],
    rest,
    has,
  };
}

/** The one place to inspect, by default the workspace; undefined when there are several, or the note is that place. */
export function onePlace({ places, note }: Pick<Task, 'places' | 'note'>): string | undefined {
  const named = places.filter((place) => place !== '.');
  const [place = '.'] = named;
  return named.length > 1 || place === note ? undefined : place;
}

/** The one place to change: a possible place must be one, unless it means the workspace. */
export function placeToChange(task: Task): string | undefined {
  const { perhaps } = task;
  return perhaps === undefined || isWorkspace(perhaps) ? onePlace(task) : perhaps;
}

/** "TODOs/FIXMEs" is two words, not a path. */
function splitWords(part: GoalPart): GoalPart[] {
  if (part.kind !== 'path' || !/^(?:todos?|fixmes?)(?:\/(?:todos?|fixmes?))+$/i.test(part.text))
    return [part];
  return part.text.split('/').map((text) => ({ ...part, kind: 'word' as const, text }));
}

function isKnown(part: GoalPart, known: ReadonlySet<string>): boolean {
  if (part.kind !== 'word') return false;
  const word = stemOf(part.text);
  return known.has(word) || GENERAL.has(word) || isFiller(part) || /^\p{P}+$/u.test(part.text);
}

/** The file for the result, and the part of the goal that names it; `unnamed` if the goal wants a file without a name. */
function findNote(
  parts: readonly GoalPart[],
  goal: Goal,
  { folderAfterTo }: Vocabulary,
): { part: GoalPart; path: string } | 'unnamed' | undefined {
  const making = goal.verb !== undefined && MAKING.has(stem(goal.verb));
  const isNoteWord = ({ kind, text }: GoalPart): boolean => kind === 'word' && NOTE_WORDS.has(stemOf(text));
  const named = parts.findLast((part, i) => {
    if (part.kind !== 'path' && part.kind !== 'quoted') return false;
    if (TOWARDS.has(part.after ?? '')) return folderAfterTo === undefined || looksLikeFile(part.text);
    const before = parts[i - 1]?.text.toLowerCase() ?? '';
    // "list them in found.md" says where they go; "list TODOs in found.md" says where they are.
    if (before === 'in' && RESULTS.has(parts[i - 2]?.text.toLowerCase() ?? '')) return isNote(part);
    if (before === 'called' || before === 'named' || isNoteWord(parts[i - 1] ?? part))
      return parts.slice(0, i).some(isNoteWord) && isNote(part);
    const said = parts.slice(0, i).filter((other) => !isFiller(other));
    return making && said.length === 1 && isNote(part);
  });
  if (named !== undefined) {
    const path = tidyPath(named.text);
    const isFile = looksLikeFile(path) || (named.kind === 'quoted' && path !== '.');
    return isFile ? { part: named, path } : 'unnamed';
  }
  return parts.some((part) => isNoteWord(part) && TOWARDS.has(part.after ?? '')) ? 'unnamed' : undefined;
}

function isNote({ text }: GoalPart): boolean {
  return /\.(?:md|markdown|txt)$/i.test(text);
}

function stemOf(text: string): string {
  return stem(text.toLowerCase().replaceAll('’', "'"));
}

function stems(words: string): ReadonlySet<string> {
  return new Set(words.split(/\s+/).map(stem));
}
