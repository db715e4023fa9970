// Owns: every word list that reading goals and intents relies on. A new synonym is one word here.
import { stem } from '../retrieval/index.ts';

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** What people say for what tools are called. */
const SYNONYMS: Readonly<Record<string, ReadonlySet<string>>> = {
  read: words('show open cat print display view load'),
  list: words('ls enumerate'),
  search: words('find grep locate look'),
  write: words('save create store put'),
  delete: words('remove erase rm'),
  move: words('rename mv'),
  fetch: words('download get'),
  wait: words('sleep pause'),
  send: words('post tell message notify'),
  run: words('execute start call'),
};
/** Verbs with many meanings: "call bob" runs no program, "tell me why" sends nothing. */
const LOOSE_VERBS = words('tell message notify execute start call');

/** Words that link a value to the verb. */
export const LINKS = words(
  'to into as in inside within under from of for about at on with by until containing',
);
/** Links before a place to look at. */
export const PLACES = words('in inside within under from at');
/** Links before where the result goes. */
export const TOWARDS = words('to into as');
/** Links before what is searched for. */
export const SUBJECTS = words('for about containing');
/** Words that may stand between a link and its value. */
export const DETERMINERS = words(
  'a an the this that these those my our your its file files folder directory path text named called',
);
const POLITE = words(
  'please kindly can could would will you i we want need like lets let us me just now then go ahead and help to thanks thank',
);
const EMPTY = words(
  `contents here there it is are be what which where who how do does address page url site website whole up out down
  line lines`,
);
/** Words that ask for more than one thing, or leave open for which; a tool may do only one. */
const QUANTIFIERS = words('all any every each everything anything something both');
/** Words that narrow what is meant. A tool call may ignore them; a procedure may not. */
const LIMITING = words('new only');
const PRONOUNS = words(
  `it that this them these those result results output outputs content contents answer response text everything`,
);
/** Words for the one thing that the last step was about. */
export const THAT_ONE = words('it that this');

/** Words that begin a step without saying anything about it. */
export const LEADING = words(
  'then and next finally first firstly second secondly third afterwards also please lastly but so now',
);
/** Words that say that one step comes after another. */
export const SEQUENCE = words('then afterwards finally');

/** Words that mean the workspace after "this" or "current". */
export const HERE = words('folder directory project repo repository workspace codebase');
/** Short forms that contain a slash or a dot and are no paths. */
export const NOT_PATHS = words('and/or either/or yes/no n/a e.g i.e etc vs');

const SECONDS: ReadonlyMap<string, number> = new Map([
  [stem('second'), 1],
  [stem('minute'), 60],
  [stem('hour'), 3_600],
  [stem('day'), 86_400],
]);

/** The stems of a verb and of the tools' words for it. */
export function meaningsOf(verb: string): ReadonlySet<string> {
  const said = verb.toLowerCase();
  const names = Object.keys(SYNONYMS).filter((name) =>
    [...(SYNONYMS[name] ?? [])].some((word) => stem(word) === stem(said)),
  );
  return new Set([said, ...names].map(stem));
}

export function isLooseVerb(verb: string): boolean {
  return LOOSE_VERBS.has(verb);
}

export function isPolite(word: string): boolean {
  return POLITE.has(word.toLowerCase());
}

/** True for a word that stands for what came before, such as "it" or "the result". */
export function isPronoun(word: string): boolean {
  return PRONOUNS.has(word.toLowerCase());
}

export function isQuantifier(word: string): boolean {
  return QUANTIFIERS.has(word.toLowerCase());
}

/** True for a word that only links or fills, and so names nothing. */
export function isFillerWord(word: string): boolean {
  const lower = word.toLowerCase();
  return [LINKS, DETERMINERS, POLITE, EMPTY, QUANTIFIERS].some((list) => list.has(lower));
}

/** True for a word that says nothing about the input of a tool. */
export function isIdleForTools(word: string): boolean {
  const lower = word.toLowerCase();
  return isFillerWord(lower) || LIMITING.has(lower) || secondsOf('1', lower) !== undefined;
}

/** How many seconds a number and the word after it are; undefined when the word is no unit of time. */
export function secondsOf(number: string, unit = ''): number | undefined {
  const factor = SECONDS.get(stem(unit.toLowerCase()));
  return factor === undefined ? undefined : Number(number) * factor;
}
