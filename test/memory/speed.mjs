// Prints how long remembering and retrieving take in a workspace of its own, made of the built `dist`; the last line is JSON:
//   npm run build && node test/memory/speed.mjs [facts] [episodes] [queries]
// or in two steps, so that a folder can be asked again: fill <folder> <facts> <episodes>, then ask <folder> <queries>.
// What is asked runs in a process of its own, so that its memory is not that of the import.
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { fileURLToPath } from 'node:url';
import { DatabaseSync } from '@photostructure/sqlite';
import { Oka } from '../../dist/index.js';

const WARM_UP = 20;
// How many rows of each table a question selects, as the product does.
const CANDIDATES = { facts: constantOf('MAX_FACT_CANDIDATES'), episodes: constantOf('MAX_CANDIDATES') };

let state = 1;
const random = () => {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return state / 2 ** 32;
};
// A few words stand in most texts and most words in few, as in a language.
const word = () => `word${Math.floor(20_000 * random() ** 3)}`;
const sentence = (length) => Array.from({ length }, word).join(' ');

const [first = '100000', ...rest] = process.argv.slice(2);
if (first === 'ask') await ask(rest[0], Number(rest[1]));
else if (first === 'fill')
  console.log(JSON.stringify(await fillFolder(rest[0], Number(rest[1]), Number(rest[2]))));
else await measureAll(Number(first), ...rest.map(Number));

async function measureAll(facts, episodes = 100_000, queries = 200) {
  const folder = mkdtempSync(join(tmpdir(), 'oka-memory-'));
  try {
    const fill = await fillFolder(folder, facts, episodes);
    const self = fileURLToPath(import.meta.url);
    const output = execFileSync(process.execPath, [self, 'ask', folder, String(queries)], {
      encoding: 'utf8',
    });
    const asked = JSON.parse(output.trim().split('\n').at(-1));
    process.stdout.write(
      `${output.trim().split('\n').slice(0, -1).join('\n')}\n${JSON.stringify({ ...fill, ...asked })}\n`,
    );
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

async function fillFolder(folder, facts, episodes) {
  const oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  await oka.init({ trust: true });
  const start = performance.now();
  const used = process.cpuUsage();
  await oka.memory.importLines(lines(facts, episodes), 'speed');
  const importMs = performance.now() - start;
  const importCpuMs = cpuSince(used);
  await oka.close();
  console.log(
    `${facts} facts and ${episodes} episodes imported in ${Math.round(importMs)} ms (${Math.round(importCpuMs)} ms of CPU)`,
  );
  return { importMs, importCpuMs };
}

function* lines(facts, episodes) {
  for (let i = 0; i < facts; i++) {
    const importance = 1 + Math.floor(random() * 5);
    yield JSON.stringify({ kind: 'fact', text: `${sentence(12)} ${i}`, importance, namespace: `n${i % 20}` });
  }
  for (let i = 0; i < episodes; i++) {
    const at = 1_700_000_000_000 + i * 300_000;
    // The turns of a conversation follow each other.
    const conversation = `c${Math.floor(i / 300)}`;
    yield JSON.stringify({ kind: 'episode', text: sentence(25), conversation, at });
  }
}

async function ask(folder, queries) {
  const oka = new Oka({ workspace: folder, home: join(folder, 'home') });
  const asked = Array.from({ length: queries + WARM_UP }, () => sentence(4));
  const begun = performance.now();
  const { degraded } = await oka.memory.retrieve({ query: sentence(4), limit: 10 });
  const firstMs = performance.now() - begun;
  const alone = limitAlone(folder);
  const hybrid = [];
  const limits = [];
  for (const query of asked) {
    limits.push(await timed(() => alone(query)));
    hybrid.push(await timed(() => oka.memory.retrieve({ query, limit: 10 })));
  }
  const rssMb = mostMemoryMb();
  const ours = percentiles('retrieve, 4 words', hybrid.slice(WARM_UP));
  const limit = percentiles('FTS5 alone', limits.slice(WARM_UP));
  percentiles(
    'retrieve, one namespace',
    await times(queries / 4, () => ({ query: sentence(8), limit: 10, namespace: 'n7' })),
  );
  percentiles(
    'retrieve, commonest words',
    await times(queries / 4, () => ({ query: 'word0 word1 word2', limit: 10 })),
  );
  const added = [];
  for (let i = 0; i < 20; i++)
    added.push(await timed(() => oka.memory.addFact({ text: sentence(12), by: 'speed' })));
  percentiles('add a fact', added);
  await oka.close();
  console.log(JSON.stringify({ degraded, firstMs, ours, limit, rssMb }));

  async function times(count, request) {
    const taken = [];
    for (let i = 0; i < count; i++) taken.push(await timed(() => oka.memory.retrieve(request())));
    return taken;
  }
}

/** Looks up the same words in the same index, and does nothing else. */
function limitAlone(folder) {
  const database = new DatabaseSync(join(folder, '.oka', 'oka.db'), { readOnly: true });
  const find = Object.entries(CANDIDATES).map(([table, limit]) =>
    database.prepare(
      `SELECT rowid, bm25(${table}_words, 1.0, 0.2, 0.0) AS score FROM ${table}_words WHERE ${table}_words MATCH ? ORDER BY score LIMIT ${limit}`,
    ),
  );
  return (query) => {
    const expression = `{text speaker} : (${query
      .split(' ')
      .map((one) => `"${one}"`)
      .join(' OR ')})`;
    for (const statement of find) statement.all(expression);
  };
}

/** A number of the product's source; `dist` does not export it. */
function constantOf(name) {
  const source = readFileSync(new URL('../../src/memory/find-memories.ts', import.meta.url), 'utf8');
  const found = new RegExp(`^const ${name} = (\\d+);`, 'm').exec(source)?.[1];
  if (found === undefined) throw new Error(`src/memory/find-memories.ts has no ${name}`);
  return Number(found);
}

async function timed(work) {
  const start = performance.now();
  const used = process.cpuUsage();
  await work();
  return { ms: performance.now() - start, cpuMs: cpuSince(used) };
}

function cpuSince(used) {
  const { user, system } = process.cpuUsage(used);
  return (user + system) / 1_000;
}

function percentiles(name, taken) {
  const at = (key, share) => {
    const sorted = taken.map((one) => one[key]).sort((a, b) => a - b);
    return Number(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))].toFixed(2));
  };
  const figures = {
    median: at('ms', 0.5),
    p99: at('ms', 0.99),
    cpuMedian: at('cpuMs', 0.5),
    cpuP99: at('cpuMs', 0.99),
  };
  console.log(
    `${name.padEnd(24)} median ${figures.median} ms, p99 ${figures.p99} ms; of CPU ${figures.cpuMedian} and ${figures.cpuP99} ms`,
  );
  return figures;
}

/** The most memory that the process has had. */
function mostMemoryMb() {
  try {
    return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]) / 1_024;
  } catch {
    return process.memoryUsage().rss / 1_048_576;
  }
}
