import { distance } from 'fastest-levenshtein';
import { stem } from '../retrieval/index.ts';
import { COMMON_WORDS } from './common-words.ts';
import { isFiller, subjectOf } from './read-goal.ts';
import type { Goal, GoalPart } from './types.ts';
import { PLACES, TOWARDS } from './vocabulary.ts';

const MIN_LENGTH = 5;
/** Words before a name, which has its own spelling. */
const BEFORE_NAMES: ReadonlySet<string> = new Set([...PLACES, ...TOWARDS, 'with', 'on', 'by']);

/** A goal with corrected words; each has its original spelling in `said`. */
export interface CorrectedGoal {
  readonly goal: Goal;
  /** Such as `"dupliactes" as "duplicates"`. */
  readonly corrections: readonly string[];
}

/** The words that goals may use, in all their forms. */
export class KnownWords {
  readonly #stems: ReadonlySet<string>;
  /** The forms by first letter, since a typo is seldom in it. */
  readonly #forms = new Map<string, Map<string, string>>();

  constructor(words: Iterable<string>) {
    const long = [...words].map((word) => word.toLowerCase()).filter((word) => /^[a-z]{2,}$/.test(word));
    this.#stems = new Set(long.map(stem));
    for (const word of long) for (const form of formsOf(word)) this.#add(form, stem(word));
  }

  has(word: string): boolean {
    return this.#stems.has(stem(word.toLowerCase()));
  }

  /** The one known word with one typo less; undefined when there are several or none. */
  nearest(word: string): string | undefined {
    const said = word.toLowerCase();
    const forms = [...(this.#forms.get(said.charAt(0)) ?? [])].filter(([form]) => isOneTypo(said, form));
    const [nearest] = forms.sort(([a], [b]) => common(said, b) - common(said, a));
    return new Set(forms.map(([, base]) => base)).size === 1 ? nearest?.[0] : undefined;
  }

  #add(form: string, base: string): void {
    if (form.length < MIN_LENGTH) return;
    const forms = this.#forms.get(form.charAt(0)) ?? new Map<string, string>();
    this.#forms.set(form.charAt(0), forms.set(form, base));
  }
}

/** The goal with typos corrected, with the fewest corrections first: the verb alone, then every word. */
export function correctSpelling(goal: Goal, known: KnownWords): CorrectedGoal[] {
  const subject = new Set(subjectOf(goal, () => false));
  const wrong = new Map<GoalPart, string>();
  for (const part of goal.parts) {
    const nearest = mayBeTypo(part, goal, subject) && !known.has(part.text) && known.nearest(part.text);
    if (nearest) wrong.set(part, nearest);
  }
  const verb = goal.parts.find((part) => wrong.has(part) && part.text.toLowerCase() === goal.verb);
  const choices = verb && wrong.size > 1 ? [new Map([[verb, wrong.get(verb) ?? '']]), wrong] : [wrong];
  return choices.filter(({ size }) => size > 0).map((chosen) => corrected(goal, chosen));
}

/** Words that are neither names nor a text to look for. */
function mayBeTypo(part: GoalPart, goal: Goal, subject: ReadonlySet<GoalPart>): boolean {
  const { kind, text, after = '' } = part;
  if (kind !== 'word' || text.length < MIN_LENGTH || isFiller(part)) return false;
  const isName = BEFORE_NAMES.has(after) || subject.has(part);
  const plain = goal.parts[0] === part ? /^[A-Za-z]+$/ : /^[a-z]+$/;
  return !isName && plain.test(text) && !COMMON_WORDS.has(stem(text.toLowerCase()));
}

function corrected(goal: Goal, chosen: ReadonlyMap<GoalPart, string>): CorrectedGoal {
  const replace = <Part extends GoalPart>(part: Part): Part => {
    const text = chosen.get(part);
    return text === undefined ? part : { ...part, text, said: part.text };
  };
  const verb = [...chosen].find(([part]) => part.text.toLowerCase() === goal.verb)?.[1] ?? goal.verb;
  return {
    goal: {
      ...goal,
      text: [...chosen].reduce((text, [part, word]) => text.replace(part.text, word), goal.text),
      parts: goal.parts.map(replace),
      ...(verb === undefined ? {} : { verb }),
      ...(goal.target ? { target: replace(goal.target) } : {}),
    },
    corrections: [...chosen].map(([part, text]) => `"${part.text}" as "${text}"`),
  };
}

/** A word, its plural or third person, and its participle. */
function formsOf(word: string): string[] {
  const plural = /[^aeiou]y$/.test(word)
    ? word.replace(/y$/, 'ies')
    : `${word}${/(?:s|x|ch|sh)$/.test(word) ? 'es' : 's'}`;
  return [word, plural, `${word.replace(/e$/, '')}ing`];
}

/** How many letters two words share at their end, since "duplicats" is rather "duplicates" than "duplicate". */
function common(a: string, b: string): number {
  let count = 0;
  while (count < a.length && a.at(-1 - count) === b.at(-1 - count)) count += 1;
  return count;
}

/** Whether two words differ by one letter, or by two neighbouring letters in the other order. */
function isOneTypo(said: string, form: string): boolean {
  if (Math.abs(said.length - form.length) > 1) return false;
  if (distance(said, form) === 1) return true;
  if (said.length !== form.length) return false;
  const at = [...said].findIndex((letter, i) => letter !== form[i]);
  return said.slice(0, at) + said[at + 1] + said[at] + said.slice(at + 2) === form;
}
