import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { Oka } from '../../src/runtime/index.ts';
import { type FakeProvider, fakeProvider, type Refusal } from '../models/fake-provider.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { ChatRoom, ROOM, type TestAgent } from './chat-room.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const SECOND = 1_000;

interface Busy {
  readonly room: ChatRoom;
  readonly clock: ManualClock;
  readonly provider: FakeProvider;
}

/** A room whose agent asks a provider that refuses the first questions. Prices are high, so that any charge shows. */
async function busy(
  refusals: Refusal[],
  { budgets, config }: { readonly budgets?: TestAgent['budgets']; readonly config?: unknown } = {},
): Promise<Busy> {
  const clock = new ManualClock();
  const provider = await fakeProvider({ refusals, says: 'Done at last.' });
  const models = { house: { provider: 'openai-compatible', model: 'model-1', base_url: provider.url } };
  const prices = { 'openai-compatible/model-1': { input: 100, output: 100 } };
  const ann: TestAgent = { turns: [], usesDefault: true, ...(budgets === undefined ? {} : { budgets }) };
  const room = await ChatRoom.open({ ann }, { clock, config, userConfig: { models, prices } });
  await room.send('@ann how are you?');
  return { room, clock, provider };
}

/** Lets the host work until a turn has an outcome. */
async function nextOutcome(room: ChatRoom, start: () => void): Promise<string | undefined> {
  const ended = room.turn();
  start();
  await ended;
  return room.outcomes.at(-1);
}

test.each<[string, Refusal, number]>([
  ['seconds', { retryAfter: '1800' }, 30 * MINUTE],
  ['a date', { status: 503, retryAfter: new Date(1_700_000_000_000 + HOUR).toUTCString() }, HOUR],
])('a refused turn waits as long as the provider asks, given as %s', async (_, refusal, waitMs) => {
  const { room, clock, provider } = await busy([refusal]);
  const start = clock.now();
  expect(await nextOutcome(room, () => room.host())).toBe('waiting');
  expect(await room.trace()).toMatchObject([{ status: 'claimed', waiting: { until: start + waitMs } }]);
  clock.advance(waitMs - SECOND);
  expect(provider.asked).toHaveLength(1);
  expect(await nextOutcome(room, () => clock.advance(SECOND))).toBe('done');
  expect(await room.texts()).toEqual(['user: @ann how are you?', 'ann: Done at last.']);
  expect(await room.trace()).toMatchObject([{ status: 'done', attempts: 1 }]);
  expect(provider.asked).toHaveLength(2);
  await room.expectSound();
});

test('without a requested pause the waits grow, and end after an hour in total', async () => {
  const clock = new ManualClock();
  const room = await ChatRoom.open({ ann: { turns: [{ error: 'rate_limited' }] } }, { clock });
  await room.send('@ann how are you?');
  const waits: number[] = [];
  for (let outcome = await nextOutcome(room, () => room.host()); outcome === 'waiting'; ) {
    const [turn] = await room.trace();
    const waitMs = (turn?.waiting?.until ?? 0) - clock.now();
    waits.push(waitMs);
    outcome = await nextOutcome(room, () => clock.advance(waitMs));
  }
  // Jitter makes each wait between half of its length and all of it.
  for (const [i, waitMs] of waits.entries()) {
    const whole = Math.min(5 * SECOND * 2 ** i, 5 * MINUTE);
    expect(waitMs).toBeGreaterThanOrEqual(whole / 2);
    expect(waitMs).toBeLessThanOrEqual(whole);
  }
  const total = waits.reduce((sum, waitMs) => sum + waitMs, 0);
  expect(total).toBeGreaterThan(HOUR - 5 * MINUTE);
  expect(total).toBeLessThanOrEqual(HOUR);
  const [turn] = await room.trace();
  expect(turn).toMatchObject({ status: 'dropped', reason: 'failed', attempts: 1 });
  expect(turn?.detail).toMatch(
    /has waited \d+ s; waiting \d+ s more would exceed its limit \(wait_ms, 3600 s\)/,
  );
  expect(await room.oka.runs.list({ limit: 9 })).toMatchObject([{ status: 'failed' }]);
});

test('the wait survives the end of its process, and the earlier steps of the turn are not repeated', async () => {
  const clock = new ManualClock();
  const listing = { tool_calls: [{ tool: 'files.list', input: { path: '.' } }], once: true };
  const room = await ChatRoom.open({ ann: { turns: [listing, { error: 'rate_limited' }] } }, { clock });
  await room.send('@ann how are you?');
  expect(await nextOutcome(room, () => room.host())).toBe('waiting');
  const [before] = await room.trace();
  await room.close();
  writeFileSync(join(room.root, 'scripts/ann.json'), JSON.stringify({ turns: [{ text: 'Done at last.' }] }));
  const later = new Oka({ workspace: room.root, home: room.home, clock });
  const stop = new AbortController();
  const answered = new Promise<string>((resolve) => {
    void later.chat.host({ signal: stop.signal, onTurn: ({ outcome }) => resolve(outcome) });
  });
  expect(await later.chat.trace(ROOM)).toMatchObject([{ waiting: { until: before?.waiting?.until } }]);
  clock.advance(5 * SECOND);
  expect(await answered).toBe('done');
  const [after] = await later.chat.trace(ROOM);
  expect(after).toMatchObject({ status: 'done', run: before?.run, attempts: 1 });
  const explained = await later.runs.explain(before?.run ?? '');
  expect(explained.actions.filter(({ tool }) => tool === 'files.list')).toHaveLength(1);
  stop.abort();
  await later.close();
});

test.each<[string, Record<string, number>, string]>([
  ['time', { wall_ms: 7 * MINUTE }, 'wall_ms, 420 s'],
  ['own limit of waiting', { wait_ms: 5 * MINUTE }, 'wait_ms, 300 s'],
])('a turn does not wait beyond the %s of its agent', async (_, budgets, limit) => {
  const { room, clock } = await busy([{ retryAfter: '240' }, { retryAfter: '200' }], { budgets });
  expect(await nextOutcome(room, () => room.host())).toBe('waiting');
  expect(await nextOutcome(room, () => clock.advance(240 * SECOND))).toBe('failed');
  const [turn] = await room.trace();
  expect(turn).toMatchObject({ status: 'dropped', reason: 'failed', attempts: 1 });
  expect(turn?.detail).toContain(`has waited 240 s; waiting 200 s more would exceed its limit (${limit})`);
});

test.each<[string, Refusal]>([
  ['before it says anything', { retryAfter: '60' }],
  ['in the middle of its answer', { begins: 'I think that '.repeat(50) }],
  ['in the middle of its answer because it is overloaded', { begins: 'I think ', kind: 'overloaded_error' }],
])('a provider that refuses %s costs nothing', async (_, refusal) => {
  const config = { conversation_limits: { model_calls: 9, cost_usd: 3 } };
  const { room, clock } = await busy([refusal, refusal], { config });
  expect(await nextOutcome(room, () => room.host())).toBe('waiting');
  const { tokens, costUsd, budgets } = await room.oka.chat.usage(ROOM);
  expect({ tokens, costUsd }).toEqual({ tokens: 0, costUsd: 0 });
  expect(budgets.filter(({ scope }) => scope === 'conversation')).toEqual([
    { scope: 'conversation', name: 'cost_usd', used: 0, limit: 3 },
    { scope: 'conversation', name: 'model_calls', used: 1, limit: 9 },
  ]);
  for (const outcome of ['waiting', 'done']) {
    const until = (await room.trace())[0]?.waiting?.until ?? 0;
    expect(await nextOutcome(room, () => clock.advance(until - clock.now()))).toBe(outcome);
  }
  expect(await room.oka.chat.usage(ROOM)).toMatchObject({ tokens: 25, costUsd: 0.0025 });
});
