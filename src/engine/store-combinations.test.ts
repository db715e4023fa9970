import { describe, expect, it } from 'vitest';
import { call, effectTool, finish, makeEngine, plannerOf, readTool } from '../../test/support/engine-kit.ts';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { MemoryEventStore } from '../ledger/index.ts';
import type { EngineOptions } from './engine.ts';
import { EventRunStore } from './event-run-store.ts';
import { MemoryKnowledge, MemoryRunStore } from './memory-stores.ts';
import type { MemoryStore } from './ports.ts';
import { MEMORY_EVIDENCE, MEMORY_STORE } from './recall-memory.ts';
import { statusOf } from './run-state.ts';
import { runStoreConformance } from './stores.conformance.ts';
import { requireCapability } from './tool.ts';

const run = { kind: 'test', goal: 'send the invoice to Ada', id: 'r1' };
const risky = effectTool('risky', (input: { x: number }) => ({ did: input.x }), {
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'high' },
  sideEffect: 'external_mutation',
});
const planner = plannerOf((input) => {
  const fact = input.evidence.find(({ tool }) => tool === 'risky');
  return fact ? finish(fact.output ?? null) : call('risky', { x: 1 });
});

runStoreConformance('EventRunStore', () => {
  const clock = new ManualClock();
  const events = new MemoryEventStore({ clock, random: seededRandom() });
  return { runs: new EventRunStore(events), events, clock };
});

describe('an engine with one store', () => {
  const stores: Record<string, () => Partial<EngineOptions>> = {
    'only an event store': () => ({
      events: new MemoryEventStore({ clock: new ManualClock(), random: seededRandom() }),
    }),
    'only a run store': () => ({ runs: new MemoryRunStore() }),
  };

  it.each(Object.entries(stores))(
    'decides the approval of an earlier process and resumes the run with %s',
    async (_name, open) => {
      const store = open();
      expect(statusOf(await makeEngine(planner, [risky], store).engine.run(run))).toBe('waiting');

      const { engine } = makeEngine(planner, [risky], store);
      const [approval, ...others] = await engine.parts.runs.approvals({ status: 'pending' });
      expect(others).toEqual([]);
      expect(approval).toMatchObject({ run: 'r1', kind: 'tool', tool: 'risky', arguments: { x: 1 } });
      expect(await engine.parts.runs.list({ status: 'waiting' })).toMatchObject([
        { id: 'r1', goal: run.goal },
      ]);
      expect(await engine.decide(approval?.id as string, { kind: 'approve' }, 'ann')).toBe('r1');

      const third = makeEngine(planner, [risky], store).engine;
      expect(await third.resume('r1')).toMatchObject({ output: { did: 1 } });
      expect(await third.parts.runs.approvals({ status: 'pending' })).toEqual([]);
    },
  );

  it('decides an approval in the process that asked for it with only a run store', async () => {
    const { engine } = makeEngine(planner, [risky], { runs: new MemoryRunStore() });
    await engine.run(run);
    const [approval] = await engine.parts.runs.approvals({ run: 'r1' });
    await engine.decide(approval?.id as string, { kind: 'deny' }, 'ann');
    expect(statusOf(await engine.resume('r1'))).toBe('failed');
    await expect(engine.decide('unknown', { kind: 'deny' }, 'ann')).rejects.toMatchObject({
      code: 'engine.unknown_approval',
    });
  });
});

describe('an engine with a memory store', () => {
  const item = (id: string, text: string, at: number, metadata = {}) => ({
    ...{ id, namespace: 'people', text, at, metadata },
  });

  it('records what the store knows about the goal as evidence, best match first', async () => {
    const memory = new MemoryKnowledge();
    await memory.put(item('old', 'Ada gets every invoice by post', 1));
    await memory.put(item('new', 'Ada drinks tea', 2));
    await memory.put(item('other', 'Bob likes jazz', 3));
    const recalled: unknown[] = [];
    const looking = plannerOf((input) => {
      recalled.push(input.evidence);
      return finish();
    });
    const { engine } = makeEngine(looking, [], { memory });
    const done = await engine.run(run);
    expect(recalled).toMatchObject([
      [{ source: 'recall', tool: MEMORY_EVIDENCE, output: [{ id: 'old' }, { id: 'new' }] }],
    ]);
    expect(done.untrusted).toBe(false);
    await memory.put(item('later', 'Ada moved; send nothing', 4));
    expect((await engine.replayDecisions('r1')).differences).toEqual([]);
  });

  it('gives the store to tools, and knowledge marked as untrusted makes a run untrusted', async () => {
    const memory = new MemoryKnowledge();
    const learn = readTool('learn', async (_input, context) => {
      const store = requireCapability<MemoryStore>(context, MEMORY_STORE);
      await store.put(item('page', 'The invoice of Ada is on a web page', 5, { untrusted: true }));
      return 'learned';
    });
    const learning = plannerOf((input) =>
      input.evidence.some(({ tool }) => tool === 'learn') ? finish() : call('learn'),
    );
    const { engine } = makeEngine(learning, [learn], { memory });
    expect(await engine.run(run)).toMatchObject({ untrusted: false });
    expect(await engine.run({ ...run, id: 'r2' })).toMatchObject({ untrusted: true });
  });
});
