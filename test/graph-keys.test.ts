import { expect, it } from 'vitest';
import * as z from 'zod';
import { Engine, type RunState } from '../src/engine/index.ts';
import { compileGraph, graphKind, toStateGraph } from '../src/graph/index.ts';
import { defineTool } from '../src/tools/define-tool.ts';
import { builtInTools } from '../src/tools/index.ts';
import { defineGraph } from './support/graph-kit.ts';
import { ManualClock, settle } from './support/manual-clock.ts';
import { seededRandom } from './support/seeded-random.ts';

/** An engine with a tool that acts when it is told to, and may not be repeated. */
function slowKit() {
  const clock = new ManualClock();
  let sent = 0;
  let release: () => void = () => undefined;
  const told = new Promise<void>((resolve) => {
    release = resolve;
  });
  const send = defineTool({
    name: 'test.send',
    description: 'sends when it is told to',
    input: z.strictObject({}),
    output: z.json(),
    annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
    sideEffect: 'write_local',
    handler: async () => {
      await told;
      sent += 1;
      return { sent };
    },
  });
  const tools = [...builtInTools(), send];
  const engine = new Engine({ tools, kinds: [graphKind], clock, random: seededRandom(1) });
  const directory = {
    names: () => tools.map(({ name }) => name),
    find: (name: string) => {
      const tool = tools.find((each) => each.name === name);
      return tool && { name, inputSchema: () => tool.input.json(), idempotent: false, readOnly: false };
    },
  };
  const definition = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'send' },
      {
        node_id: 'send',
        type: 'tool',
        tool: 'test.send',
        args: {},
        idempotency_key: '{{input}}',
        next: 'end',
      },
      { node_id: 'end', type: 'end' },
    ],
    { defaults: { max_retries: 3, timeout_seconds: 1_000 } },
  );
  const start = async (): Promise<RunState> => {
    const { graph } = compileGraph(definition, { tools: directory, graphs: { find: () => undefined } });
    if (graph === undefined) throw new Error('the graph does not compile');
    const request = { kind: 'graph', goal: 'send', subject: 'g', vars: { input: 'monday' } };
    return engine.run(
      { ...request, graph: await toStateGraph(graph, (used) => engine.storeGraph(used)) },
      { patienceMs: 0 },
    );
  };
  return { clock, engine, start, release, sent: () => sent };
}

it('a run does not act while another run uses its idempotency key', async () => {
  const { start, release, sent } = slowKit();
  const acting = start();
  await settle();
  const rival = await start();
  expect(sent()).toBe(0);
  expect(rival.output).toBeUndefined();
  release();
  expect((await acting).output).toEqual({ sent: 1 });
  expect((await start()).output).toEqual({ sent: 1 });
  expect(sent()).toBe(1);
});

it('a run whose key is in use waits and retries later, even if the tool is not repeatable', async () => {
  const { clock, engine, start, release, sent } = slowKit();
  const acting = start();
  await settle();
  const rival = await start();
  expect(rival.waiting?.for).toBe('time');
  release();
  await acting;
  clock.advance(60_000);
  expect((await engine.resume(rival.id, { patienceMs: 0 })).output).toEqual({ sent: 1 });
  expect(sent()).toBe(1);
});
