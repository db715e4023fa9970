import { hashTerms } from './term-hashes.ts';
import { plainWords, rootOf, tellingWords } from './terms.ts';
import type { Candidate, TextReading } from './types.ts';

/** A candidate with what the ranking reads from its text. */
export interface Passage {
  readonly candidate: Candidate;
  /** Its terms, as `hashTerms` gives them. */
  readonly terms: Int32Array;
  /** The words of the speaker's name, in lower case, with spaces between them. */
  readonly speaker: string;
  /** What share of it asks instead of telling. */
  readonly asking: number;
}

const SPEAKER_PREFIX = /^\s*(\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2}):\s+/u;

/** Reads a text once, so that a store can keep what the ranking needs of it. */
export function readText(text: string, speaker?: string): TextReading {
  const said = splitSpeaker(text, speaker);
  return {
    terms: tellingWords(plainWords(said.body)).map(rootOf).join(' '),
    speaker: plainWords(said.speaker).join(' '),
    asking: askingShare(said.body),
  };
}

/** Reads a candidate for the ranking, from what its store has kept where it has. */
export function readPassage(candidate: Candidate): Passage {
  return passageOf(candidate, candidate.reading ?? readText(candidate.text ?? '', candidate.speaker));
}

/** A candidate for the ranking, with what was read from its text before. */
export function passageOf(candidate: Candidate, { terms, speaker, asking }: TextReading): Passage {
  return { candidate, terms: hashTerms(terms), speaker, asking };
}

/** The words of a line that has spaces between them. */
export function wordsIn(line: string): string[] {
  return line === '' ? [] : line.split(' ');
}

/** Who says a text, and the text without the name in front of it. */
function splitSpeaker(text: string, speaker: string | undefined): { speaker: string; body: string } {
  const prefix = SPEAKER_PREFIX.exec(text);
  if (!prefix || (speaker !== undefined && prefix[1] !== speaker))
    return { speaker: speaker ?? '', body: text };
  return { speaker: prefix[1] ?? '', body: text.slice(prefix[0].length) };
}

function askingShare(text: string): number {
  if (!text.includes('?')) return 0;
  const sentences = text.match(/[^.!?]+[.!?]*/g) ?? [];
  let asked = 0;
  for (const sentence of sentences) if (/\?/.test(sentence)) asked += sentence.length;
  return text.length === 0 ? 0 : Math.min(asked / text.length, 1);
}
