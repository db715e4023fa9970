import { expect, it } from 'vitest';
import { defineGraph, graphKit } from './support/graph-kit.ts';

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };

/** How many events a map over so many items reads from the ledger, over all its runs. */
async function eventsRead(count: number, concurrency: number, fails = false): Promise<number> {
  const { engine, start, graphs, failing } = graphKit();
  if (fails) Object.assign(failing, { left: 1, transient: false });
  const { events } = engine.parts;
  const read = events.read.bind(events);
  let total = 0;
  events.read = async (...place) => {
    const found = await read(...place);
    total += found.length;
    return found;
  };
  const echo = { type: 'tool', tool: 'test.echo', args: { i: '{{input}}' }, next: 'end' };
  graphs['each'] = defineGraph([START, { ...echo, node_id: 'a' }, END], { id: 'each' });
  const run = await start(
    [
      START,
      {
        node_id: 'a',
        type: 'map',
        items: '{{input}}',
        graph: 'each',
        concurrency,
        max_items: 500,
        next: 'end',
      },
      END,
    ],
    {
      input: Array.from({ length: count }, (_, i) => i),
      budgets: { children: count, steps: 10 * count, tool_calls: 10 * count },
    },
  );
  expect(run.ended?.status).toBe(fails ? 'failed' : 'completed');
  expect(await engine.parts.runs.list({ parent: run.id })).toHaveLength(count);
  return total;
}

it.each([1, 4])(
  'reads the same number of events for each item of a long map as of a short one, %i at a time',
  async (concurrency) => {
    const short = (await eventsRead(50, concurrency)) / 50;
    const long = (await eventsRead(200, concurrency)) / 200;
    expect(long).toBeLessThan(short * 1.1);
  },
);

it('reads the same number of events for each item that a failed map cancels, however many there are', async () => {
  const short = (await eventsRead(50, 4, true)) / 50;
  const long = (await eventsRead(200, 4, true)) / 200;
  expect(long).toBeLessThan(short * 1.1);
});
