import { expect, test } from 'vitest';
import type { Clock } from '../../src/kernel/index.ts';
import { ChatRoom, hurriedClock } from './chat-room.ts';

const DAY_MS = 86_400_000;
const FINE = { turns: [{ text: 'I am fine.' }] };

test('a failing model is retried, then the turn is dropped with its reason, and others continue', async () => {
  const room = await ChatRoom.open(
    { ann: { turns: [{ error: 'request_failed' }] }, bob: FINE },
    { clock: hurriedClock() },
  );
  await room.send('@ann @bob how are you?');
  await room.send('@ann again?');
  room.host();
  await room.rest();
  const [first, , second] = await room.trace();
  for (const one of [first, second])
    expect(one).toMatchObject({ agent: 'ann', status: 'dropped', reason: 'failed', attempts: 3 });
  expect(await room.texts()).toContain('bob: I am fine.');
  expect((await room.notices())[0]).toMatch(/^ann did not answer: failed \(.+\)$/);
  expect(room.outcomes.filter((outcome) => outcome === 'failed')).toHaveLength(6);
  await room.expectSound();
});

test('a model that fails in one run answers in the next, and the usage of both is counted', async () => {
  const room = await ChatRoom.open({ ann: FINE }, { clock: hurriedClock() });
  const { root } = room;
  await room.send('@ann how are you?');
  const { renameSync } = await import('node:fs');
  renameSync(`${root}/scripts/ann.json`, `${root}/scripts/away.json`);
  room.host();
  await room.turn();
  renameSync(`${root}/scripts/away.json`, `${root}/scripts/ann.json`);
  await room.rest();
  expect(await room.trace()).toMatchObject([{ status: 'done', attempts: 2 }]);
  expect(await room.texts()).toContain('ann: I am fine.');
});

test('a hanging model is cancelled after the time limit of its agent, and the turn is dropped with its reason', async () => {
  const hanging = { turns: [{ text: 'too late', delay_ms: DAY_MS }], budgets: { wall_ms: 5_000 } };
  const room = await ChatRoom.open({ ann: hanging, bob: FINE }, { clock: hurriedClock() });
  await room.send('@ann @bob how are you?');
  room.host();
  await room.rest();
  expect((await room.trace())[0]).toMatchObject({
    status: 'dropped',
    reason: 'failed',
    detail: 'it took longer than 5 seconds',
    attempts: 3,
  });
  expect(await room.texts()).toEqual(['user: @ann @bob how are you?', 'bob: I am fine.']);
  const runs = await room.oka.runs.list({ limit: 10 });
  expect(runs.map(({ status }) => status).sort()).toEqual([
    'cancelled',
    'cancelled',
    'cancelled',
    'completed',
  ]);
});

test('a time limit that is reached between two steps ends a turn like a hanging model', async () => {
  const slow = {
    turns: [{ tool_calls: [{ tool: 'files.list', input: { path: '.' } }], delay_ms: 3_000 }],
    tools: ['files.list'],
    budgets: { wall_ms: 5_000 },
  };
  const hurried = hurriedClock();
  // The timer of the turn comes too late, so the engine is the first to see that the time is over.
  const callAt: Clock['callAt'] = (at, callback, options) =>
    hurried.callAt(at > hurried.now() + 4_000 ? at + DAY_MS : at, callback, options);
  const room = await ChatRoom.open({ ann: slow }, { clock: { ...hurried, callAt } });
  await room.send('@ann how are you?');
  room.host();
  await room.rest();
  expect(await room.trace()).toMatchObject([
    { status: 'dropped', reason: 'failed', detail: 'it took longer than 5 seconds', attempts: 3 },
  ]);
  const runs = await room.oka.runs.list({ limit: 10 });
  expect(runs.map(({ status }) => status)).toEqual(['cancelled', 'cancelled', 'cancelled']);
});

test('a model that answers with nonsense does not stop the others, and the turn ends with a reason', async () => {
  const nonsense = {
    turns: [{ tool_calls: [{ tool: 'no.such_tool', input: { a: [1] } }] }],
    budgets: { steps: 6 },
  };
  const room = await ChatRoom.open({ ann: nonsense, bob: FINE }, { clock: hurriedClock() });
  await room.send('@ann @bob how are you?');
  room.host();
  await room.rest();
  expect((await room.trace())[0]).toMatchObject({
    status: 'dropped',
    reason: expect.stringMatching(/failed|budget/),
  });
  expect(await room.texts()).toContain('bob: I am fine.');
});

test('a mention of an agent whose file was deleted is dropped', async () => {
  const room = await ChatRoom.open({ ann: FINE });
  const { rmSync } = await import('node:fs');
  await room.send('@ann how are you?');
  rmSync(`${room.root}/.oka/agents/ann.md`);
  await room.oka.chat.cleanup('ann');
  expect(await room.notices()).toEqual(['ann was not notified: unknown_agent (the agent is gone)']);
});
