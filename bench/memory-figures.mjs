// What remembering and retrieving cost, on the built `dist`: by `test/memory/speed.mjs`, and beside what others search with.

import { fileURLToPath } from 'node:url';
import { once, peer, SPEED_UP } from './measuring.mjs';
import { median } from './report.mjs';

const speed = fileURLToPath(new URL('../test/memory/speed.mjs', import.meta.url));
const TEXTS = 100_000;
const sizeOf = ({ options }) => (options.quick ? 10_000 : TEXTS);

const memory = {
  name: 'memory',
  // Filled once: it takes longer than all that is asked. As large in a quick run: ranking takes the same 8 ms of CPU for
  // every size and FTS5 less for fewer texts, so that the ratio for 10,000 texts says nothing about the target.
  async prepare(context) {
    const folder = context.newFolder();
    const { importMs } = await context.run(speed, 'fill', folder, TEXTS, TEXTS);
    return { folder, importMs };
  },
  subjects: (context, { folder, importMs }) => ({
    oka: { measure: async () => ({ importMs, ...(await context.run(speed, 'ask', folder, 200)) }) },
  }),
  lines: [
    {
      figure: 'memory.retrieve',
      // Of CPU, because the two are measured question by question and whatever else runs would decide.
      unit: 'ms of CPU',
      baseline: 'the same words in FTS5 alone, in the same process',
      ours: ({ oka }) => oka.ours.cpuMedian,
      value: ({ oka }) => oka.limit.cpuMedian,
      target: { atMost: 3 },
      also: (samples) => ({
        wallMs: median(samples.map(({ oka }) => oka.ours.median)),
        firstMs: Math.round(median(samples.map(({ oka }) => oka.firstMs))),
      }),
    },
    { figure: 'memory.p99', unit: 'ms', ours: ({ oka }) => oka.ours.p99, target: { atMost: 50 } },
    { figure: 'memory.resident', unit: 'MB', ours: ({ oka }) => oka.rssMb, target: { atMost: 300 } },
    { figure: 'memory.import', unit: 'ms', ours: ({ oka }) => oka.importMs },
  ],
};

const PEERS = {
  minisearch: 'MiniSearch, words only',
  orama: 'Orama, words only',
  lancedb: 'LanceDB, words only',
  'sqlite-vec': 'sqlite-vec, vectors only',
};

const search = {
  name: 'memory.search',
  needsPeers: true,
  async prepare(context) {
    const folder = context.newFolder();
    await context.run('search', 'fill', folder, sizeOf(context));
    return folder;
  },
  subjects: (context, finished) => ({
    oka: once(context, 'search', 'oka', finished),
    fts5: once(context, 'search', 'fts5', finished),
    ...Object.fromEntries(Object.keys(PEERS).map((name) => [name, peer(context, 'search', name, finished)])),
  }),
  lines: [
    searchLine('memory.search', 'FTS5, words only', 'fts5'),
    ...Object.entries(PEERS).map(([name, baseline]) =>
      searchLine(`memory.search.${name}`, baseline, name, { ratio: SPEED_UP }),
    ),
  ],
};

function searchLine(figure, baseline, subject, rest) {
  return {
    figure,
    unit: 'ms',
    baseline,
    ours: ({ oka }) => oka.searchMs,
    value: (sample) => sample[subject].searchMs,
    ...rest,
  };
}

export const MEMORY_GROUPS = [memory, search];
