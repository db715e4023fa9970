// Owns: every word list for goals and intents. A new synonym is one word here.
import { stem } from '../retrieval/index.ts';

function words(list: string): ReadonlySet<string> {
  return new Set(list.split(/\s+/));
}

/** Synonyms of the verbs in tool names. */
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
/** The verbs of tools and their synonyms. */
export const TOOL_VERBS: readonly string[] = Object.entries(SYNONYMS).flatMap(([verb, more]) => [
  verb,
  ...more,
]);
/** Verbs with many meanings: "call bob" runs no program, "tell me why" sends nothing. */
const LOOSE_VERBS = words('tell message notify execute start call');

/** Words that link a value to the verb. */
export const LINKS = words(
  'to into as in inside within under from of for about at on with by until containing',
);
/** Links before a place to inspect. */
export const PLACES = words('in inside within under from at');
/** Links before the target of the result. */
export const TOWARDS = words('to into as');
/** Links before the subject of a search. */
export const SUBJECTS = words('for about containing');
/** Words between a link and its value. */
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
/** Words for more than one thing, or for an unknown one; a tool acts on one. */
const QUANTIFIERS = words('all any every each everything anything something both');
/** Words that narrow the meaning. A tool call may ignore them; a procedure may not. */
const LIMITING = words('new only');
const PRONOUNS = words(
  `it that this them these those result results output outputs content contents answer response text everything`,
);
/** Words for the one subject of the last step. */
export const THAT_ONE = words('it that this');

/** Words that begin a step without a meaning of their own. */
export const LEADING = words(
  'then and next finally first firstly second secondly third afterwards also please lastly but so now',
);
/** Words that say that one step comes after another. */
export const SEQUENCE = words('then afterwards finally');

/** Words that mean the workspace after "this" or "current". */
export const HERE = words('folder directory project repo repository workspace codebase');
/** Abbreviations with a slash or a dot that are not paths. */
export const NOT_PATHS = words('and/or either/or yes/no n/a e.g i.e etc vs');

const SECONDS: ReadonlyMap<string, number> = new Map([
  [stem('second'), 1],
  [stem('minute'), 60],
  [stem('hour'), 3_600],
  [stem('day'), 86_400],
]);

/** The stems of a verb and of its synonyms in tool names. */
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

/** True for a word for something earlier, such as "it" or "the result". */
export function isPronoun(word: string): boolean {
  return PRONOUNS.has(word.toLowerCase());
}

export function isQuantifier(word: string): boolean {
  return QUANTIFIERS.has(word.toLowerCase());
}

/** True for a word that names nothing. */
export function isFillerWord(word: string): boolean {
  const lower = word.toLowerCase();
  return [LINKS, DETERMINERS, POLITE, EMPTY, QUANTIFIERS].some((list) => list.has(lower));
}

/** True for a word that says nothing about the input of a tool. */
export function isIdleForTools(word: string): boolean {
  const lower = word.toLowerCase();
  return isFillerWord(lower) || LIMITING.has(lower) || secondsOf('1', lower) !== undefined;
}

/** A number and its unit in seconds; undefined when the word is not a unit of time. */
export function secondsOf(number: string, unit = ''): number | undefined {
  const factor = SECONDS.get(stem(unit.toLowerCase()));
  return factor === undefined ? undefined : Number(number) * factor;
}
