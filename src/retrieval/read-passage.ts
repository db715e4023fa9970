import { isStopWord, plainWords, rootOf } from './terms.ts';
import type { Candidate } from './types.ts';

/** A candidate with what the ranking reads from its text. */
export interface Passage {
  readonly candidate: Candidate;
  readonly counts: ReadonlyMap<string, number>;
  readonly length: number;
  /** The words of the speaker's name, in lower case. */
  readonly speaker: readonly string[];
  /** What share of it asks instead of telling. */
  readonly asking: number;
}

const SPEAKER_PREFIX = /^\s*(\p{Lu}[\p{L}.'-]*(?: \p{Lu}[\p{L}.'-]*){0,2}):\s+/u;

/** Reads a candidate for the ranking. */
export function readPassage(candidate: Candidate): Passage {
  const { speaker, body } = splitSpeaker(candidate);
  const counts = new Map<string, number>();
  let length = 0;
  for (const word of plainWords(body)) {
    if (isStopWord(word)) continue;
    const term = rootOf(word);
    counts.set(term, (counts.get(term) ?? 0) + 1);
    length += 1;
  }
  return { candidate, counts, length, speaker: plainWords(speaker), asking: askingShare(body) };
}

/** Who says a text, and the text without the name in front of it. */
function splitSpeaker({ text, speaker }: Candidate): { speaker: string; body: string } {
  const prefix = SPEAKER_PREFIX.exec(text);
  if (!prefix || (speaker !== undefined && prefix[1] !== speaker))
    return { speaker: speaker ?? '', body: text };
  return { speaker: prefix[1] ?? '', body: text.slice(prefix[0].length) };
}

function askingShare(text: string): number {
  const sentences = text.match(/[^.!?]+[.!?]*/g) ?? [];
  let asked = 0;
  for (const sentence of sentences) if (/\?/.test(sentence)) asked += sentence.length;
  return text.length === 0 ? 0 : Math.min(asked / text.length, 1);
}
