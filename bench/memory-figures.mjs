// What remembering and retrieving cost, by `test/memory/speed.mjs` on the built `dist`.

import { fileURLToPath } from 'node:url';
import { median } from './report.mjs';

const speed = fileURLToPath(new URL('../test/memory/speed.mjs', import.meta.url));
const sizeOf = ({ options }) => (options.quick ? 10_000 : 100_000);

const memory = {
  name: 'memory',
  // Filled once: it takes longer than all that is asked.
  async prepare(context) {
    const folder = context.newFolder();
    const { importMs } = await context.run(speed, 'fill', folder, sizeOf(context), sizeOf(context));
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
      baseline: 'the same words in FTS5 and as many signatures alone, in the same process',
      ours: ({ oka }) => oka.ours.cpuMedian,
      value: ({ oka }) => oka.limit.cpuMedian,
      target: { atMost: 1.5 },
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

export const MEMORY_GROUPS = [memory];
