// Owns: rules over the words of a text. A rule yields every way in which words from a position on can be read.
// I1 A rule skips no word but fillers. I2 Readings with the same end and the same meaning are one.
import { canonicalJson, type Json } from '../kernel/index.ts';
import type { Word, Words } from './words.ts';

interface Match<Value> {
  readonly value: Value;
  /** The position after the last word that was read. */
  readonly end: number;
}

export type Rule<Value> = (words: Words, at: number) => readonly Match<Value>[];

/** Reads one word that fits. Fillers before it are skipped. */
export function oneWord<Value>(
  read: (word: Word, words: Words, at: number) => Value | undefined,
): Rule<Value> {
  return (words, at) => {
    const matches: Match<Value>[] = [];
    for (let i = at; i < words.list.length; i += 1) {
      const word = words.list[i] as Word;
      words.reach(i);
      const value = read(word, words, i);
      if (value !== undefined) matches.push({ value, end: i + 1 });
      if (!word.isFiller) break;
    }
    return matches;
  };
}

/** Reads one of these phrases, such as `get rid of|delete`. The value is the phrase. */
export function said(phrases: string): Rule<string> {
  const options = phrases.split('|').map((phrase) => phrase.trim().split(/\s+/));
  const rules = options.map((phrase) =>
    map(inOrder(...phrase.map((text) => oneWord((word) => (word.text === text && !word.isValue) || undefined))), () =>
      phrase.join(' '),
    ),
  );
  const first = new Map<string, Rule<string>[]>();
  for (const [i, [word = '']] of options.entries())
    first.set(word, [...(first.get(word) ?? []), rules[i] as Rule<string>]);
  return (words, at) => {
    const found: Match<string>[] = [];
    for (let i = at; i < words.list.length; i += 1) {
      const word = words.list[i] as Word;
      words.reach(i);
      for (const rule of first.get(word.text) ?? []) found.push(...rule(words, i));
      if (!word.isFiller) break;
    }
    return distinct(found);
  };
}

type Values<Rules extends readonly Rule<unknown>[]> = {
  readonly [Index in keyof Rules]: Rules[Index] extends Rule<infer Value> ? Value : never;
};

/** Reads the rules one after the other. */
export function inOrder<Rules extends readonly Rule<unknown>[]>(...rules: Rules): Rule<Values<Rules>> {
  return (words, at) => {
    let matches: Match<readonly unknown[]>[] = [{ value: [], end: at }];
    for (const rule of rules)
      matches = matches.flatMap(({ value, end }) =>
        rule(words, end).map((next) => ({ value: [...value, next.value], end: next.end })),
      );
    return matches as unknown as readonly Match<Values<Rules>>[];
  };
}

export function oneOf<Value>(...rules: readonly Rule<Value>[]): Rule<Value> {
  return (words, at) => distinct(rules.flatMap((rule) => rule(words, at)));
}

/** Reads the rule or nothing. */
export function maybe<Value>(rule: Rule<Value>): Rule<Value | undefined> {
  return (words, at) => [...rule(words, at), { value: undefined, end: at }];
}

/** Reads the rule as often as it fits, at least `least` times. */
export function several<Value>(rule: Rule<Value>, least = 0): Rule<readonly Value[]> {
  return (words, at) => {
    const found: Match<readonly Value[]>[] = least === 0 ? [{ value: [], end: at }] : [];
    let open: readonly Match<readonly Value[]>[] = [{ value: [], end: at }];
    while (open.length > 0) {
      open = distinct(
        open.flatMap(({ value, end }) =>
          rule(words, end)
            .filter((next) => next.end > end)
            .map((next) => ({ value: [...value, next.value], end: next.end })),
        ),
      );
      found.push(...open.filter(({ value }) => value.length >= least));
    }
    return found;
  };
}

/** Values joined by commas, "and" or "or": "a, b and c". */
export function listOf<Value>(rule: Rule<Value>, joint = ',|and|or|and also|plus|, and|, or'): Rule<readonly Value[]> {
  const more = several(map(inOrder(said(joint), rule), ([, value]) => value));
  return map(inOrder(rule, more), ([first, rest]) => [first, ...rest]);
}

/** Reads a rule and makes a value of its own; undefined is no reading. */
export function map<From, To>(rule: Rule<From>, make: (value: From) => To | undefined): Rule<To> {
  return (words, at) =>
    rule(words, at).flatMap(({ value, end }) => {
      const made = make(value);
      return made === undefined ? [] : [{ value: made, end }];
    });
}

/** A rule that refers to others which are made later, and that is read once at each position. */
export function rule<Value>(make: () => Rule<Value>): Rule<Value> {
  let made: Rule<Value> | undefined;
  const self: Rule<Value> = (words, at) => {
    made ??= make();
    const inner = made;
    return words.once(self, at, () => distinct(inner(words, at)));
  };
  return self;
}

/** The meanings of the words as a whole. Fillers at the end are left. */
export function readAll<Value>(rule: Rule<Value>, words: Words): readonly Value[] {
  const whole = rule(words, 0).filter(({ end }) => words.list.slice(end).every(({ isFiller }) => isFiller));
  const length = words.list.length;
  return distinct(whole.map(({ value }) => ({ value, end: length }))).map(({ value }) => value);
}

function distinct<Value>(matches: readonly Match<Value>[]): readonly Match<Value>[] {
  if (matches.length < 2) return matches;
  const found = new Map<string, Match<Value>>();
  for (const match of matches) {
    const key = `${match.end} ${canonicalJson((match.value ?? null) as Json)}`;
    if (!found.has(key)) found.set(key, match);
  }
  return [...found.values()];
}
