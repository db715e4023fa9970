import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
import * as z from 'zod';
import { memoryStoreConformance, runStoreConformance } from '../../src/engine/stores.conformance.ts';
import { openConversations } from '../../src/library/chat.ts';
import { defineTool, Engine, openStores, StateGraph, type Stores } from '../../src/library/engine.ts';
import { openMemory } from '../../src/library/memory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';

function open(folder = tempFolder(), clock = new ManualClock()): Stores {
  const stores = openStores({ folder }, { clock });
  onTestFinished(() => stores.close().catch(() => undefined));
  return stores;
}

memoryStoreConformance('SqlKnowledge', () => open().memory);
runStoreConformance('the run store of openStores', () => {
  const clock = new ManualClock();
  const { runs, events } = open(tempFolder(), clock);
  return { runs, events, clock };
});

const send = defineTool({
  name: 'mail.send',
  description: 'Sends a message',
  input: z.object({ to: z.string() }),
  output: z.object({ sent: z.string() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'high' },
  sideEffect: 'external_mutation',
  handler: ({ to }) => ({ sent: to }),
});

function engineOn(stores: Stores): Engine {
  return new Engine({
    ...stores,
    tools: [send],
    kinds: [
      {
        name: 'mail',
        graph: new StateGraph({
          name: 'mail',
          start: 'work',
          states: {
            work: { to: ['done'], tools: { names: ['mail.send'] } },
            done: { terminal: 'completed' },
          },
        }),
        planner: {
          name: 'mailer',
          version: '1',
          deterministic: true,
          plan: ({ evidence, goal }) => {
            const sent = evidence.find(({ tool }) => tool === 'mail.send');
            return sent
              ? { kind: 'finish', output: sent.output ?? null, rationale: 'sent' }
              : { kind: 'call_tool', tool: 'mail.send', input: { to: goal }, rationale: 'asked for' };
          },
        },
      },
    ],
  });
}

describe('openStores', () => {
  it.each(['folder', 'file'])('keeps runs, approvals and memory in a %s', async (how) => {
    const path = join(tempFolder(), 'state');
    const location = how === 'folder' ? { folder: path } : { file: path };
    const first = openStores(location);
    const parked = await engineOn(first).run({ kind: 'mail', goal: 'ada' });
    await first.memory.put({ id: 'm', namespace: 'n', text: 'ada reads mail', at: 1 });
    await first.close();
    await expect(first.memory.put({ id: 'x', namespace: 'n', text: 'x', at: 1 })).rejects.toThrow();

    const second = openStores(location);
    onTestFinished(() => second.close());
    const engine = engineOn(second);
    const [approval] = await second.runs.approvals({ status: 'pending' });
    await engine.decide(approval?.id as string, { kind: 'approve' }, 'ann');
    expect(await engine.resume(parked.id)).toMatchObject({ output: { sent: 'ada' } });
    expect(await second.memory.search({ text: 'mail' })).toMatchObject([{ id: 'm' }]);
    expect((await engine.replayDecisions(parked.id)).differences).toEqual([]);
    const folder = how === 'folder' ? join(path, 'objects') : `${path}-objects`;
    expect(existsSync(folder)).toBe(true);
  });

  it('keeps nothing with inMemory', async () => {
    const stores = openStores({ inMemory: true });
    expect(await engineOn(stores).run({ kind: 'mail', goal: 'ada' })).toMatchObject({ goal: 'ada' });
    expect(await stores.runs.list({})).toHaveLength(1);
    await stores.close();
    expect(await openStores({ inMemory: true }).runs.list({})).toEqual([]);
    expect(() => openMemory(stores)).toThrow('openStores({ folder })');
  });

  it('erases every version of a deleted item from the files', async () => {
    const folder = tempFolder();
    const stores = open(folder);
    for (const text of ['the first secretword', 'the second secretword'])
      await stores.memory.put({ id: 'm', namespace: 'n', text, at: 1 });
    await stores.memory.delete('m');
    expect(await stores.memory.get('m')).toBeUndefined();
    await stores.close();
    expect(readFileSync(join(folder, 'oka.db'), 'latin1')).not.toContain('secretword');
    expect(await open(folder).memory.search({ text: '' })).toEqual([]);
  });
});

describe('memory and conversations on the stores', () => {
  it('finds facts and deletes them', async () => {
    const memory = openMemory(open());
    const { id } = await memory.addFact({ text: 'Ada drinks green tea' }, 'me');
    await memory.addFact({ text: 'Bob plays the cello' }, 'me');
    expect((await memory.findFacts({ query: 'tea', limit: 5 })).hits.map((hit) => hit.id)).toEqual([id]);
    await memory.deleteFact(id, 'me');
    expect((await memory.retrieve({ query: 'tea', limit: 5 })).hits).toEqual([]);
  });

  it('posts messages, and deletes a conversation with its content', async () => {
    const stores = open();
    const { conversations, erasure } = openConversations(stores, {
      engine: engineOn(stores),
      agents: { names: async () => new Set(['ada']), toolsOf: async () => undefined },
    });
    await conversations.create('garden', 'me');
    expect(await conversations.send('garden', '@ada the quince blossoms', 'me')).toMatchObject({
      notified: ['ada'],
    });
    expect((await conversations.view('garden')).messages).toMatchObject([
      { text: '@ada the quince blossoms' },
    ]);
    await erasure.delete('garden', 'me');
    expect(await conversations.list()).toEqual([]);
  });
});
