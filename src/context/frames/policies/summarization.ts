import type { SynthesisPolicy } from '../synthesis-policy.ts';
import { count, readParameters } from './read-parameters.ts';

const MAX_SENTENCE_LENGTH = 400;
const MAX_SENTENCES_READ = 5_000;
/** Stop words. */
const STOP_WORDS = new Set(
  'a an and are as at be but by for from has have in is it its of on or that the this to was were which will with'.split(
    ' ',
  ),
);

interface Sentence {
  readonly child: number;
  readonly text: string;
  readonly words: readonly string[];
}

/** The sentences with the most frequent words, in their own order, each with the name of its child. */
export const summarization: SynthesisPolicy = {
  name: 'summarization',
  version: '1',
  deterministic: true,
  parameters: (given) => readParameters('summarization', { max_sentences: count(12) }, given),
  synthesize: ({ children, parameters }) => {
    const sentences = children
      .flatMap(({ content }, child) =>
        sentencesOf(content).map((text) => ({ child, text, words: wordsOf(text) })),
      )
      .slice(0, MAX_SENTENCES_READ);
    const chosen = new Set(bestSentences(sentences, parameters['max_sentences'] as number));
    return sentences
      .filter((sentence) => chosen.has(sentence))
      .map(({ child, text }) => `- ${children[child]?.name}: ${text}\n`)
      .join('');
  },
};

function sentencesOf(content: string): string[] {
  return content
    .split(/(?<=[.!?])\s+|\n+/u)
    .map((text) => text.replace(/^[-#*>\s]+/u, '').trim())
    .filter((text) => /\p{L}/u.test(text))
    .map((text) => text.slice(0, MAX_SENTENCE_LENGTH).toWellFormed());
}

function wordsOf(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\p{N}_]+/gu) ?? []).filter((word) => !STOP_WORDS.has(word));
}

/** Scores each sentence by the average frequency of its words; repeated sentences score nothing. */
function bestSentences(sentences: readonly Sentence[], limit: number): readonly Sentence[] {
  const frequency = new Map<string, number>();
  for (const { words } of sentences)
    for (const word of new Set(words)) frequency.set(word, (frequency.get(word) ?? 0) + 1);
  const seen = new Set<string>();
  const scored = sentences.flatMap((sentence, place) => {
    const key = sentence.words.join(' ');
    if (seen.has(key)) return [];
    seen.add(key);
    const sum = sentence.words.reduce((total, word) => total + (frequency.get(word) ?? 0), 0);
    return [{ sentence, place, score: sum / (sentence.words.length + 4) }];
  });
  return scored
    .sort((a, b) => b.score - a.score || a.place - b.place)
    .slice(0, limit)
    .map(({ sentence }) => sentence);
}
