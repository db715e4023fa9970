// Prints how long remembering and retrieving take in a workspace of its own, made of the built `dist`:
//   npm run build && node test/memory/speed.mjs [facts] [episodes]
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Oka } from '../../dist/index.js';

const [facts = 100_000, episodes = 100_000] = process.argv.slice(2).map(Number);
const QUERIES = 500;
const folder = mkdtempSync(join(tmpdir(), 'oka-memory-'));
const oka = new Oka({ workspace: join(folder), home: join(folder, 'home') });

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
// A few words stand in most texts and most words in few, as in a language.
const word = () => `word${Math.floor(20_000 * random() ** 3)}`;
const sentence = (length) => Array.from({ length }, word).join(' ');

function percentiles(times) {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share) => sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(1);
  return `median ${at(0.5)} ms, p99 ${at(0.99)} ms, most ${at(1)} ms`;
}

async function measure(name, times, work) {
  const taken = [];
  for (let i = 0; i < times; i++) {
    const start = performance.now();
    await work(i);
    taken.push(performance.now() - start);
  }
  console.log(`${name.padEnd(34)} ${percentiles(taken)}`);
}

try {
  await oka.init({ trust: true });
  const lines = (function* () {
    for (let i = 0; i < facts; i++) {
      const importance = 1 + Math.floor(random() * 5);
      yield JSON.stringify({
        kind: 'fact',
        text: `${sentence(12)} ${i}`,
        importance,
        namespace: `n${i % 20}`,
      });
    }
    for (let i = 0; i < episodes; i++) {
      const at = 1_700_000_000_000 + i * 300_000;
      yield JSON.stringify({ kind: 'episode', text: sentence(25), conversation: `c${i % 300}`, at });
    }
  })();
  const start = performance.now();
  await oka.memory.importLines(lines, 'speed');
  console.log(
    `${facts} facts and ${episodes} episodes imported in ${Math.round(performance.now() - start)} ms`,
  );
  await measure('first question (makes the index)', 1, () =>
    oka.memory.retrieve({ query: 'word7', limit: 10 }),
  );
  for (const length of [1, 3, 8, 20]) {
    await measure(`retrieve, ${length} words`, QUERIES, () =>
      oka.memory.retrieve({ query: sentence(length), limit: 10 }),
    );
  }
  await measure('retrieve, 8 words of one namespace', QUERIES, () =>
    oka.memory.retrieve({ query: sentence(8), limit: 10, namespace: 'n7' }),
  );
  await measure('daily search, 8 words of one day', QUERIES, () =>
    oka.memory.searchDaily({ query: sentence(8), limit: 10, day: '2024-03-01' }),
  );
  await measure('retrieve, the commonest words', QUERIES, () =>
    oka.memory.retrieve({ query: 'word0 word1 word2', limit: 10 }),
  );
  await measure('add a fact', 200, () => oka.memory.addFact({ text: sentence(12), by: 'speed' }));
} finally {
  await oka.close();
  rmSync(folder, { recursive: true, force: true });
}
