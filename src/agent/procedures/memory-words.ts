import type { Evidence } from '../../engine/index.ts';
import { asObject } from '../../kernel/index.ts';
import { stem } from '../../retrieval/index.ts';

/** A remembered fact in the output of a tool. */
export interface RememberedFact {
  readonly id: string;
  readonly text: string;
  readonly at: number;
  readonly untrusted?: true;
}

/** Words without a subject of their own. */
const IDLE: ReadonlySet<string> = new Set(
  `what which who where when how is are was were be am do does did have has had a an the my our i we me us mine you your
  it its of for in on at to and or about that this please tell know remember recall say said told name named called use
  used using again now currently anything something much many what's who's where's when's`.split(/\s+/),
);

/** The words that say what a question is about, as stems. */
export function subjectStems(text: string): string[] {
  return [...stems(text, IDLE)];
}

/** The facts in a recall that have every one of the words, newest first. Runs and conversations are no facts. */
export function factsWith(recall: Evidence | undefined, words: readonly string[]): RememberedFact[] {
  const { hits } = asObject(recall?.output);
  const facts = (Array.isArray(hits) ? hits.map(asObject) : []).filter(({ kind }) => kind === 'fact');
  return (facts as unknown as RememberedFact[])
    .filter(({ text }) => {
      const said = stems(text);
      return words.length > 0 && words.every((word) => said.has(word));
    })
    .sort((a, b) => b.at - a.at);
}

/** Whether two texts are the same fact: without regard to case, spaces, quotes and the last full stop. */
export function isSameFact(a: string, b: string): boolean {
  return normal(a) === normal(b);
}

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

function normal(text: string): string {
  return text
    .toLowerCase()
    .replace(/["“”'’`]/g, '')
    .replace(/\s+/g, ' ')
    .trim()
    .replace(/[.!]+$/, '');
}

function stems(text: string, without: ReadonlySet<string> = new Set()): ReadonlySet<string> {
  const words =
    text
      .toLowerCase()
      .replaceAll('’', "'")
      .match(/[\p{L}\p{N}][\p{L}\p{N}'._-]*/gu) ?? [];
  return new Set(words.filter((word) => !without.has(word)).map(stemOf));
}

function stemOf(word: string): string {
  return stem(word.replace(/[._'-]+$/, '').replace(/'s$/, ''));
}
