// What remembering and retrieving cost, by `test/memory/speed.mjs` on the built `dist`.

import { fileURLToPath } from 'node:url';
import { median } from './report.mjs';

const speed = fileURLToPath(new URL('../test/memory/speed.mjs', import.meta.url));
const sizeOf = ({ options }) => (options.quick ? 10_000 : 100_000);

const memory = {
  name: 'memory',
  subjects: (context) => ({
    oka: { measure: () => context.run(speed, sizeOf(context), sizeOf(context), 200) },
  }),
  lines: [
    {
      figure: 'memory.retrieve',
      unit: 'ms',
      baseline: 'the same words in FTS5 and as many signatures alone, in the same process',
      ours: ({ oka }) => oka.ours.median,
      value: ({ oka }) => oka.limit.median,
      target: { atMost: 1.5 },
      also: (samples) => ({ firstMs: Math.round(median(samples.map(({ oka }) => oka.firstMs))) }),
    },
    { figure: 'memory.p99', unit: 'ms', ours: ({ oka }) => oka.ours.p99, target: { atMost: 50 } },
    { figure: 'memory.resident', unit: 'MB', ours: ({ oka }) => oka.rssMb, target: { atMost: 300 } },
    { figure: 'memory.import', unit: 'ms', ours: ({ oka }) => oka.importMs },
  ],
};

export const MEMORY_GROUPS = [memory];
