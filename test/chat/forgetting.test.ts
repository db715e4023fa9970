import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { type Clock, systemClock } from '../../src/kernel/index.ts';
import { onOwnFiles } from '../support/server-environment.ts';
import { ChatRoom, hurriedClock, ROOM, started } from './chat-room.ts';

const SECRET = 'the-rose-is-blue';
const DAY_MS = 86_400_000;

/** The files below `.oka` that hold a word. */
function filesWith(room: ChatRoom, word: string): string[] {
  const folder = join(room.root, '.oka');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((path) => statSync(join(folder, path)).isFile())
    .filter((path) => readFileSync(join(folder, path)).includes(word));
}

/** The real clock, which can be put forward. */
function movedClock(): Clock & { move: (ms: number) => void } {
  let moved = 0;
  return {
    now: () => systemClock.now() + moved,
    callAt: (at, callback, options) => systemClock.callAt(at - moved, callback, options),
    move: (ms) => {
      moved += ms;
    },
  };
}

onOwnFiles(
  'deleting erases what was said and what runs made of it, also the runs that failed; the chain verifies',
  async () => {
    const room = await ChatRoom.open(
      {
        ann: { turns: [{ text: `I know that ${SECRET}. @bob?` }] },
        bob: { turns: [{ when: SECRET, error: 'request_failed' }] },
      },
      { clock: hurriedClock() },
    );
    await room.send(`@ann you know ${SECRET}`);
    room.host();
    await room.rest();
    expect(await room.trace()).toMatchObject([{ status: 'done' }, { reason: 'failed', attempts: 3 }]);
    expect(filesWith(room, SECRET)).toContain('run_ledger.jsonl');
    await room.oka.chat.delete(ROOM, 'ann');
    expect(await room.oka.chat.list()).toEqual([]);
    await room.stopHosting();
    await room.expectSound();
    await room.oka.close();
    expect(filesWith(room, SECRET)).toEqual([]);
    expect(existsSync(join(room.root, 'scripts/ann.json'))).toBe(true);
  },
);

test('a turn in flight posts nothing after its conversation was deleted, and leaves nothing behind', async () => {
  const room = await ChatRoom.open({ ann: { turns: [{ text: `late ${SECRET}`, delay_ms: DAY_MS }] } });
  await room.send(`@ann wait for ${SECRET}`);
  room.host();
  await started(room);
  const ended = room.turn();
  await room.oka.chat.delete(ROOM, 'ann');
  await ended;
  await room.oka.chat.create({ name: ROOM, by: 'ann' });
  expect(await room.texts()).toEqual([]);
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'deleted' }]);
  expect((await room.oka.runs.list({ limit: 9 })).map(({ status }) => status)).toEqual(['cancelled']);
  await room.stopHosting();
  await room.expectSound();
  await room.oka.close();
  expect(filesWith(room, SECRET)).toEqual([]);
});

onOwnFiles(
  'messages that have expired are not shown, and cleaning up erases them and empty conversations',
  async () => {
    const clock = movedClock();
    const room = await ChatRoom.open({ ann: { turns: [{ text: `So ${SECRET}.` }] } }, { clock });
    await room.send(`@ann ${SECRET}`);
    room.host();
    await room.rest();
    await room.stopHosting();
    await room.oka.chat.create({ name: 'longer', ttlMs: 30 * DAY_MS, by: 'ann' });
    await room.oka.chat.send({ conversation: 'longer', text: 'stays', by: 'ann' });
    clock.move(8 * DAY_MS);
    expect(await room.texts()).toEqual([]);
    expect(await room.oka.chat.cleanup('ann')).toEqual({
      messages: 2,
      conversations: [ROOM],
      mentions: 0,
    });
    expect((await room.oka.chat.list()).map(({ name }) => name)).toEqual(['longer']);
    await room.expectSound();
    await room.oka.close();
    expect(filesWith(room, SECRET)).toEqual([]);
    expect(filesWith(room, 'stays')).toContain('run_ledger.jsonl');
  },
);

test('a mention that expires before it is claimed is dropped with its reason', async () => {
  const clock = movedClock();
  const room = await ChatRoom.open({ ann: { turns: [{ text: 'Yes.' }] } }, { clock });
  await room.oka.chat.pause({ conversation: ROOM, by: 'ann' });
  await room.send('@ann are you there?');
  clock.move(8 * DAY_MS);
  await room.send('@ann and now?');
  await room.oka.chat.resume({ conversation: ROOM, by: 'ann' });
  room.host();
  await room.rest();
  expect(await room.trace()).toMatchObject([{ status: 'dropped', reason: 'expired' }, { status: 'done' }]);
  expect(await room.texts()).toEqual(['user: @ann and now?', 'ann: Yes.']);
});
