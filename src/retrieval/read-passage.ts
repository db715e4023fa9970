import { plainWords, rootOf, significantWords } from './terms.ts';
import type { Candidate, TextReading } from './types.ts';

/** A candidate with the ranking data of its text. */
export interface Passage {
  readonly candidate: Candidate;
  /** Its terms, from `hashTerms`. */
  readonly terms: Int32Array;
  /** The words of the speaker's name, in lower case, with spaces between them. */
  readonly speaker: string;
  /** The share of questions in its text. */
  readonly asking: number;
}

const SPEAKER_PREFIX = /^\s*(\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2}):\s+/u;

/** Computes the ranking data of a text, so that a store can keep it. */
export function readText(text: string, speaker?: string): TextReading {
  const split = splitSpeaker(text, speaker);
  return {
    terms: significantWords(plainWords(split.body)).map(rootOf).join(' '),
    speaker: plainWords(split.speaker).join(' '),
    asking: askingShare(split.body),
  };
}

/** Combines a candidate with the ranking data of its text. */
export function passageOf(candidate: Candidate, { terms, speaker, asking }: TextReading): Passage {
  return { candidate, terms: hashTerms(terms), speaker, asking };
}

/** The words of a line, separated by spaces. */
export function wordsIn(line: string): string[] {
  return line === '' ? [] : line.split(' ');
}

/** Splits a text into its speaker and the rest. */
function splitSpeaker(text: string, speaker: string | undefined): { speaker: string; body: string } {
  const prefix = SPEAKER_PREFIX.exec(text);
  if (!prefix || (speaker !== undefined && prefix[1] !== speaker))
    return { speaker: speaker ?? '', body: text };
  return { speaker: prefix[1] ?? '', body: text.slice(prefix[0].length) };
}

function askingShare(text: string): number {
  if (!text.includes('?')) return 0;
  const questions = (text.match(/[^.!?]+[.!?]*/g) ?? []).filter((sentence) => sentence.includes('?'));
  return Math.min(questions.join('').length / text.length, 1);
}

const START = 2166136261;
const FACTOR = 16777619;
const SPACE = 32;

/** The hash of a term. */
export function hashOf(term: string): number {
  let state = START;
  for (let place = 0; place < term.length; place += 1)
    state = Math.imul(state ^ term.charCodeAt(place), FACTOR);
  return state | 0;
}

let scratch = new Int32Array(256);

/** The sorted hashes of terms separated by spaces; equal ones are adjacent. */
export function hashTerms(line: string): Int32Array {
  // A text has at most one term for every two characters.
  while (scratch.length <= line.length / 2 + 1) scratch = new Int32Array(scratch.length * 2);
  let [state, count] = [START, 0];
  for (let place = 0; place < line.length; place += 1) {
    const unit = line.charCodeAt(place);
    if (unit === SPACE) {
      scratch[count] = state;
      count += 1;
      state = START;
    } else state = Math.imul(state ^ unit, FACTOR);
  }
  if (line !== '') {
    scratch[count] = state;
    count += 1;
  }
  return scratch.slice(0, count).sort();
}
