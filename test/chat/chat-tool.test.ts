import { expect, onTestFinished, test } from 'vitest';
import { SqlChatRecords } from '../../src/adapters/sql/index.ts';
import { callKind } from '../../src/agent/index.ts';
import { type ChatParts, Conversations, DEFAULT_CHAIN_LIMITS, Turns } from '../../src/chat/index.ts';
import { Engine } from '../../src/engine/index.ts';
import { sortableIds } from '../../src/kernel/index.ts';
import { chatDesk } from '../../src/runtime/chat/chat-desk.ts';
import { builtInTools } from '../../src/tools/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';

const LIMITS = { ...DEFAULT_CHAIN_LIMITS, depth: 2 };

/** Conversations, and an engine whose runs make one call each. */
async function open() {
  const clock = new ManualClock();
  const root = tempFolder();
  const ledger = openTestLedger(root, { clock });
  await ledger.startWriting();
  onTestFinished(() => ledger.close());
  const records = new SqlChatRecords(ledger.tables);
  const agents: ChatParts['agents'] = {
    names: async () => new Set(['ann', 'bob']),
    toolsOf: async (agent) => [`${agent}.*`],
  };
  const ids = sortableIds(clock, seededRandom(2));
  const none = async (): Promise<never[]> => [];
  const erasure = {
    bodiesOf: none,
    streamsOfRun: none,
    erase: async () => undefined,
    stop: async () => undefined,
  };
  const parts: ChatParts = { events: ledger.events, records, agents, erasure, clock, ids, limits: LIMITS };
  const desk = chatDesk({ ledger: () => ledger, agents, limits: LIMITS });
  const engine = new Engine({
    kinds: [callKind],
    tools: builtInTools(),
    events: ledger.events,
    runs: ledger.runs,
    capabilities: { chat: desk },
    clock,
    random: seededRandom(4),
  });
  const conversations = new Conversations(parts);
  await conversations.create('room', 'ann');
  const turns = new Turns(parts, { self: 'test', isAlive: (owner) => owner === 'test' });
  const say = (text: string, more: { id?: string; agent?: string } = {}) => {
    const { id, agent } = more;
    const vars = { tool: 'chat.send', input: { conversation: 'room', text }, ...(agent && { agent }) };
    return engine.run({ kind: 'call', goal: 'say it', vars, ...(id && { id }) });
  };
  return { ledger, records, conversations, turns, say };
}

test('a message that an agent posts while it works is stored once, and belongs to its chain', async () => {
  const { ledger, records, conversations, turns, say } = await open();
  await conversations.send('room', '@ann look around', 'ann');
  const [turn] = await turns.claim(['ann']);
  const run = await say('@bob @nobody I have begun', { id: turn?.run ?? '' });
  expect(run.output).toEqual({ notified: ['bob'], unknown: ['nobody'] });
  const [told] = await records.notificationsOf('room', 1);
  expect(told).toMatchObject({
    agent: 'bob',
    depth: 2,
    chain: 'room/0',
    status: 'queued',
    untrusted: true,
    within: [['ann.*']],
  });
  const [bobs] = await turns.claim(['bob']);
  await say('@ann on and on', { id: bobs?.run ?? '' });
  expect(await records.notificationsOf('room', 2)).toMatchObject([
    { depth: 3, status: 'dropped', reason: 'depth' },
  ]);
  expect((await verifyLedger(ledger)).faults).toEqual([]);
});

test('an agent whose run was not started by a mention posts as itself, at depth 1', async () => {
  const { records, conversations, say } = await open();
  await say('@ann @bob hello', { agent: 'bob' });
  const { messages } = await conversations.view('room');
  expect(messages).toMatchObject([{ from: 'bob', depth: 1, text: '@ann @bob hello' }]);
  expect(await records.notificationsOf('room', 0)).toMatchObject([
    { agent: 'ann', depth: 2, untrusted: true },
  ]);
});

test('an empty message fails the call and stores nothing', async () => {
  const { ledger, conversations, say } = await open();
  const { ended, failure } = await say(' ');
  expect({ ended: ended?.status, code: failure?.code }).toMatchObject({
    ended: 'failed',
    code: 'chat.invalid',
  });
  expect((await conversations.view('room')).messages).toEqual([]);
  expect((await ledger.events.read('chat/room')).length).toBe(0);
});
