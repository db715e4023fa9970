import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { RunView } from '../../src/api/index.ts';
import { ChatRoom } from '../chat/chat-room.ts';
import { defineGraph } from '../support/graph-kit.ts';
import {
  type Asked,
  brokenEnding,
  cutEnding,
  type Ending,
  endingServer,
  WIRES,
  type Wire,
} from './ending-server.ts';

const GRAPH = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'ask' },
    { node_id: 'ask', type: 'ai_template', prompt_template: 'Report.', output_format: 'text', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: 'report.md', content: '{{ask}}' },
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'main', mode: 'flex' } as never,
);

/** Set OKA_CASES to try more. */
const RUNS = Number(process.env['OKA_CASES'] ?? 8);
const OLD = 'The report of yesterday.\n';

/** A workspace whose default model ends every answer as `now` says. */
async function workspace(wire: Wire) {
  const now: Ending[] = [];
  const asked: Asked[] = [];
  const url = await endingServer(now, asked);
  const models = {
    house: {
      provider: wire,
      model: 'm',
      base_url: url + (wire === 'ollama' ? '' : '/v1'),
      api_key: { env: 'PATH' },
    },
  };
  const ann = { turns: [], usesDefault: true } as const;
  const room = await ChatRoom.open({ ann }, { userConfig: { models } });
  const put = (path: string, content: string): void => {
    mkdirSync(join(room.root, path, '..'), { recursive: true });
    writeFileSync(join(room.root, path), content);
  };
  put('report.md', OLD);
  put('.oka/graphs/main.json', JSON.stringify(GRAPH));
  put('.oka/agents/bea.md', '---\nname: bea\ncontextRole: writer\nmodel: house\n---\nYou are bea.\n');
  await room.oka.context.scan({ force: false, by: 'me' });
  /** From now on every answer ends like this. */
  const ends = (...endings: readonly Ending[]): void => {
    now.splice(0, now.length, ...endings);
    asked.length = 0;
  };
  ends({ text: FRAME, reason: wire === 'anthropic' ? 'end_turn' : 'stop' });
  await room.oka.context.generate(QUESTION);
  room.host();
  const frames = await room.oka.context.listFrames({ node: 'report.md' });
  expect(frames).toHaveLength(1);
  return { room, ends, frames };
}

const FRAME = 'It is the report.';
const QUESTION = { node: 'report.md', prompt: 'What is it?', type: 'note', agent: 'bea', again: true };

it('an answer that is not finished is never a result: not of a goal, a graph, a frame or a turn', async () => {
  const open = new Map<Wire, Awaited<ReturnType<typeof workspace>>>();
  for (const wire of WIRES) open.set(wire, await workspace(wire));
  const cases = fc.constantFrom(...WIRES).chain((wire) =>
    fc.record({
      wire: fc.constant(wire),
      ending: fc.oneof(brokenEnding(wire), cutEnding(wire)),
    }),
  );
  await fc.assert(
    fc.asyncProperty(
      cases,
      fc.constantFrom('do', 'graph', 'frame', 'turn'),
      async ({ wire, ending }, way) => {
        const { room, ends, frames } = open.get(wire) as Awaited<ReturnType<typeof workspace>>;
        ends(ending);
        const { oka } = room;
        let run: RunView | undefined;
        if (way === 'do')
          run = (
            await oka.do({
              goal: 'explain the meaning of it all',
              budgets: {},
              simulate: false,
              patienceMs: 0,
            })
          ).run;
        else if (way === 'graph')
          run = (
            await oka.graphs.run({
              graph: 'main',
              input: {},
              vars: {},
              budgets: {},
              simulate: false,
              patienceMs: 0,
            })
          ).run;
        else if (way === 'frame') run = (await oka.context.generate(QUESTION)).run;
        else {
          const before = (await room.messages()).length;
          const ended = room.turn();
          await room.send('@ann how are you?');
          await ended;
          expect(room.outcomes.at(-1)).not.toBe('done');
          expect(await room.messages()).toHaveLength(before + 1);
        }
        // A graph may wait to try once more.
        if (way === 'graph' && run?.status === 'waiting') await oka.runs.cancel(run.id, 'tester', 'it waits');
        else if (run !== undefined) {
          expect([run.status, run.failure?.code]).toEqual(['failed', expect.stringMatching(/^models\./)]);
          if (ending.text.trim() !== '')
            expect(run.failure?.message).toMatch(/artifact unfinished-answer-\d+\.txt/);
        }
        expect(readFileSync(join(room.root, 'report.md'), 'utf8')).toBe(OLD);
        expect(await oka.context.listFrames({ node: 'report.md' })).toEqual(frames);
      },
    ),
    { numRuns: RUNS },
  );
});
