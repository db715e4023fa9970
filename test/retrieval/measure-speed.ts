import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { type Candidate, PassageIndex, WordVectors } from '../../src/retrieval/index.ts';
import { generateSet } from './generate-set.ts';

export interface Speed {
  readonly addMicroseconds: number;
  readonly medianMs: number;
  readonly slowestMs: number;
  /** What the process grew by. */
  readonly megabytes: number;
  readonly vectorMegabytes: number;
}

const QUERIES = 60;
const MEGABYTE = 1024 * 1024;

/** Measures an index of so many texts: the turns of the set again and again, each with words of its own. */
export function measureSpeed(texts: number, withVectors: boolean): Speed {
  const conversations = generateSet('train');
  const turns = conversations.flatMap((conversation) => conversation.turns);
  const questions = conversations.flatMap((conversation) => conversation.questions).slice(0, QUERIES);
  const vectors = new WordVectors();
  const index = new PassageIndex({ vectors: withVectors ? vectors : false });
  const memoryBefore = used();
  const start = performance.now();
  for (let number = 0; number < texts; number += 1)
    index.add(copyOf(turns[number % turns.length], number, turns.length));
  const added = performance.now() - start;
  const megabytes = (used() - memoryBefore) / MEGABYTE;
  const times = questions
    .map(({ text }) => {
      const began = performance.now();
      index.search(text, { limit: 10 });
      return performance.now() - began;
    })
    .sort((a, b) => a - b);
  return {
    addMicroseconds: (added * 1000) / texts,
    medianMs: times[Math.floor(times.length / 2)] ?? 0,
    slowestMs: times.at(-1) ?? 0,
    megabytes,
    vectorMegabytes: withVectors ? vectors.toBytes().length / MEGABYTE : 0,
  };
}

/** What the process uses after its garbage is collected. */
function used(): number {
  setFlagsFromString('--expose-gc');
  runInNewContext('gc')();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  return heapUsed + arrayBuffers;
}

function copyOf(turn: Candidate | undefined, number: number, round: number): Candidate {
  if (!turn) throw new RangeError('the set has no turns');
  const copy = Math.floor(number / round);
  return {
    ...turn,
    id: `${turn.id}@${copy}`,
    conversation: `${turn.conversation}@${copy}`,
    text: `${turn.text} word${(number * 7919) % 20_011} word${(number * 104_729) % 20_011}`,
  };
}
