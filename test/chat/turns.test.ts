import { expect, onTestFinished, test } from 'vitest';
import { SqlChatRecords } from '../../src/adapters/sql/index.ts';
import { type ChatParts, Conversations, DEFAULT_CHAIN_LIMITS, Turns } from '../../src/chat/index.ts';
import { sortableIds } from '../../src/kernel/index.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { tempFolder } from '../support/temp-folder.ts';

const REPLY = { text: 'Done.', tokens: 5, costUsd: 0.5, untrusted: false };
const SPENT = { tokens: 7, costUsd: 0.25 };

/** A conversation with mentions, and hosts that can die. */
async function open(...texts: readonly string[]) {
  const clock = new ManualClock();
  const root = tempFolder();
  const ledger = openTestLedger(root, { clock });
  await ledger.startWriting();
  onTestFinished(() => ledger.close());
  const records = new SqlChatRecords(ledger.tables);
  const none = async (): Promise<never[]> => [];
  const parts: ChatParts = {
    events: ledger.events,
    records,
    agents: { names: async () => new Set(['ann', 'bob']), toolsOf: async () => undefined },
    erasure: {
      bodiesOf: none,
      streamsOfRun: none,
      erase: async () => undefined,
      stop: async () => undefined,
    },
    clock,
    ids: sortableIds(clock, seededRandom(2)),
    limits: DEFAULT_CHAIN_LIMITS,
  };
  const conversations = new Conversations(parts);
  await conversations.create('room', 'ann');
  for (const text of texts) await conversations.send('room', text, 'ann');
  const dead = new Set<string>();
  const host = (self: string): Turns => new Turns(parts, { self, isAlive: (owner) => !dead.has(owner) });
  return { records, conversations, host, die: (name: string) => dead.add(name) };
}

test('a turn whose host has died three times is quarantined, and the next one is claimed', async () => {
  const { records, host, die } = await open('@ann one', '@ann two');
  const runs: string[] = [];
  for (const name of ['first', 'second', 'third']) {
    const [turn] = await host(name).claim(['ann']);
    runs.push(turn?.run as string);
    expect(turn).toMatchObject({ message: { text: '@ann one' }, again: name !== 'first' });
    die(name);
  }
  expect(new Set(runs).size).toBe(1);
  expect(await host('fourth').claim(['ann'])).toMatchObject([{ message: { text: '@ann two' } }]);
  expect(await records.notificationsOf('room', 0)).toMatchObject([
    { status: 'dropped', reason: 'quarantined', detail: 'its host stopped 3 times while answering it' },
  ]);
});

test('a host that has lost its turn to another stores nothing, and the other one stores it once', async () => {
  const { conversations, host, die } = await open('@ann one');
  const [slow] = await host('slow').claim(['ann']);
  if (slow === undefined) throw new Error('nothing was claimed');
  die('slow');
  const quick = host('quick');
  const [turn] = await quick.claim(['ann']);
  if (turn === undefined) throw new Error('nothing was claimed');
  expect(turn.run).toBe(slow.run);
  expect(await host('slow').finish(slow, REPLY)).toBe(false);
  expect(await quick.finish(turn, REPLY)).toBe(true);
  expect(await quick.finish(turn, REPLY)).toBe(false);
  expect((await conversations.view('room')).messages.map(({ text }) => text)).toEqual(['@ann one', 'Done.']);
});

test('an agent has one turn at a time in a conversation, also when several hosts claim at once', async () => {
  const { host } = await open('@ann one', '@ann @bob two');
  const claims = await Promise.all(['a', 'b', 'c'].map((name) => host(name).claim(['ann', 'bob'])));
  expect(
    claims
      .flat()
      .map(({ notification }) => notification.id)
      .sort(),
  ).toEqual(['room/0/ann', 'room/1/bob']);
});

test('releasing a turn is not an attempt, and the usage of failed attempts is counted', async () => {
  const { records, host } = await open('@ann one');
  const one = host('one');
  const claim = async () => {
    const [turn] = await one.claim(['ann']);
    if (turn === undefined) throw new Error('nothing was claimed');
    return turn;
  };
  const first = await claim();
  await one.release(first);
  const second = await claim();
  expect(second).toMatchObject({ run: first.run, again: true, notification: { attempts: 1 } });
  await one.fail(second, 'why not', SPENT);
  const third = await claim();
  expect(third.run).not.toBe(first.run);
  await one.finish(third, REPLY);
  expect(await records.chainUse('room/0')).toEqual({ turns: 1, tokens: 12, costUsd: 0.75 });
});
