// Owns: what must be there when a goal is reached, as far as its words tell. I1 A sentence whose verb is not known asks for a change.
import { isFiller, isValue, looksLikeFile, readTokens, tidyPath, wordOf } from './read-goal.ts';
import type { Token } from './types.ts';
import { DETERMINERS, isPolite } from './vocabulary.ts';

export interface GoalNeeds {
  /** Files that the result goes into. */
  readonly files: readonly string[];
  /** Something must have been changed. */
  readonly change: boolean;
}

const words = (list: string): ReadonlySet<string> => new Set(list.split(/\s+/));

/** Words before what a sentence says. */
const GREETING =
  words(`hi hello hey thanks thank good morning evening afternoon please pls ok okay well so now then also first next finally
  quick question one more thing`);
/** An answer is all that such a sentence asks for. */
const ASKING =
  words(`what whats who whos where when why how hows which wich whose is are was were am does did has have had should would
  show list tell explain describe summarise summarize brief read print display view find search look count compare check review analyse
  analyze calculate compute estimate report answer say recall help recommend proofread rewrite rephrase solve define spell yes no`);
/** … unless it is about a file or a folder. */
const COMPOSING =
  words(`write draft compose create make generate give suggest plan propose translate think imagine invent name outline
  produce prepare brainstorm`);
const THINGS = words(
  'folder folders directory file files copy copies backup archive branch commit repository project app',
);
/** Statements only explain. */
const STATING =
  words(`i im i'm i've it it's its this that these those there there's the a an my our your we you he she they both all some just
  only something someone everything nothing because but if no not don't dont keep`);
/** Verbs that ask for a change also after "and" or "then". */
const CHANGING =
  words(`delete remove erase move rename copy fix correct change update replace add append insert put save store convert turn merge
  join split sort format clean tidy organise organize run execute start stop build test install uninstall upgrade commit push pull merge revert
  deploy send post publish download fetch unpack unzip zip pack archive refactor apply set undo restore`);
/** Verbs after which "to" names the file for the result. */
const WRITING = words(
  'write save convert export put copy move rename add append turn collect print store dump output',
);
const REQUEST = /^(?:[^,?:]{0,20}, *)?(?:please )?(?:can|could|would|will) (?:you|we)\b/i;
const NOT_FOR = words('reply answer response link similar compared next due according');

/** What must be there when a goal is reached, as far as its words tell. */
export function needsOf(goal: string): GoalNeeds {
  const files: string[] = [];
  let change = false;
  for (const sentence of sentencesIn(goal)) {
    const asked = sentence.replace(REQUEST, '');
    // "can you …" asks for what follows, also with a question mark.
    const isQuestion = asked === sentence && /\?\s*$/.test(sentence);
    const clauses = clausesIn(withoutGreeting(readTokens(asked)));
    for (const [i, clause] of clauses.entries()) {
      const needs = needsOfClause(clause, i === 0, isQuestion);
      files.push(...needs.files);
      change ||= needs.change;
    }
  }
  return { files: [...new Set(files)], change: change || files.length > 0 };
}

/** The sentences; what follows a colon is the text that a sentence is about. */
function sentencesIn(goal: string): string[] {
  const plain = goal.replaceAll(/"[^"]*"|“[^”]*”/g, (quoted) => quoted.replaceAll(/[.!?:\n]/g, ' '));
  return [...plain.matchAll(/[^.!?\n]+(?:[.!?](?!\s|$)[^.!?\n]*)*[.!?]*/g)]
    .map(([sentence]) => sentence.replace(/(?<!\?):\s.*$/s, '').trim())
    .filter((sentence) => sentence !== '');
}

function withoutGreeting(tokens: readonly Token[]): readonly Token[] {
  const first = tokens.findIndex(
    (token) => token.kind !== 'comma' && !GREETING.has(wordOf(token)) && !isPolite(wordOf(token)),
  );
  return first < 0 ? [] : tokens.slice(first);
}

/** Splits at "and", "then" and commas where a verb of a change or a value for one follows. */
function clausesIn(tokens: readonly Token[]): readonly (readonly Token[])[] {
  const clauses: Token[][] = [[]];
  for (const [i, token] of tokens.entries()) {
    const before = tokens[i - 1];
    const isJoined =
      before !== undefined && (before.kind === 'comma' || /^(?:and|then|also)$/.test(wordOf(before)));
    if (isJoined && (CHANGING.has(wordOf(token)) || WRITING.has(wordOf(token)))) clauses.push([]);
    clauses.at(-1)?.push(token);
  }
  return clauses.filter((clause) => clause.length > 0);
}

function needsOfClause(clause: readonly Token[], isFirst: boolean, isQuestion: boolean): GoalNeeds {
  const verb = wordOf(clause[0]).replace(/['’]s$/, '');
  const file = isQuestion ? undefined : fileFor(clause, verb);
  if (file !== undefined) return { files: [file], change: true };
  if (isQuestion || verb === '' || ASKING.has(verb)) return { files: [], change: false };
  if (isFirst && STATING.has(verb)) return { files: [], change: false };
  const isAboutThings = clause.some((token) => isFile(token) || THINGS.has(wordOf(token)));
  return { files: [], change: !COMPOSING.has(verb) || isAboutThings };
}

/** The file that the result goes into: right after the verb, or after "into" or "to". */
function fileFor(clause: readonly Token[], verb: string): string | undefined {
  const object = clause.slice(1).find((token) => !isFiller(token) && !DETERMINERS.has(wordOf(token)));
  if (/^(?:write|create|generate|produce|prepare|draft)$/.test(verb) && isFile(object))
    return tidyPath(object.text);
  const at = clause.findLastIndex((token, i) => {
    const link = wordOf(clause[i - 1]);
    if (!isFile(token) || NOT_FOR.has(wordOf(clause[i - 2]))) return false;
    return link === 'into' || link === 'called' || (link === 'to' && WRITING.has(verb));
  });
  const found = clause[at];
  return found === undefined ? undefined : tidyPath(found.text);
}

/** A name with a type; a type alone, as in "all .png", is none. */
function isFile(token: Token | undefined): token is Token {
  return token !== undefined && isValue(token) && looksLikeFile(token.text) && !/^\.\w+$/.test(token.text);
}
