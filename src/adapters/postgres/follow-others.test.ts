import { EventEmitter } from 'node:events';
import type pg from 'pg';
import { expect, test } from 'vitest';
import { systemClock } from '../../kernel/index.ts';
import { LedgerEvent } from '../../ledger/index.ts';
import { FollowOthers } from './follow-others.ts';

const OWN = 1;
const OTHER = 2;

const event = (seq: number): LedgerEvent =>
  new LedgerEvent({
    ...{ seq, stream: 's', index: seq, type: 'noted', at: 0, actor: 'a', ends: true },
    ...{ dataText: '{}', bodyText: null, salt: null, bodyDigest: null, chain: `chain ${seq}` },
  });

/** A follower of a ledger in memory, and what it has read and delivered. */
async function follow() {
  const ledger: LedgerEvent[] = [];
  const [read, delivered]: [number[], number[]] = [[], []];
  const client = new EventEmitter() as EventEmitter & Partial<pg.Client>;
  const listening = new Promise<void>((resolve) => {
    client.query = (async () => resolve()) as never;
  });
  client.end = (async () => undefined) as never;
  const others = new FollowOthers({
    ...{ clock: systemClock, channel: 'oka_test', head: async () => 0 },
    connect: async () => client as pg.Client,
    isOwn: (serverProcess) => serverProcess === OWN,
    readAfter: async (seq, limit) => {
      const found = ledger.filter((one) => one.seq > seq).slice(0, limit);
      read.push(...found.map((one) => one.seq));
      return found;
    },
    deliver: (events) => delivered.push(...events.map(({ seq }) => seq)),
  });
  await listening;
  const settle = () => new Promise((resolve) => setImmediate(resolve));
  await settle();
  const add = (process: number, ...seqs: readonly number[]): readonly LedgerEvent[] => {
    const events = seqs.map(event);
    if (process === OWN) others.noteOwn(events);
    ledger.push(...events);
    client.emit('notification', { processId: process });
    return events;
  };
  return { others, add, read, delivered, settle };
}

test('events of this process are not read again', async () => {
  const { others, add, read, delivered, settle } = await follow();
  others.noteStored(add(OWN, 1, 2));
  others.noteStored(add(OWN, 3));
  await settle();
  expect({ read, delivered }).toEqual({ read: [], delivered: [] });
});

test('events of others are delivered once, whichever events of this process are between them', async () => {
  const { others, add, read, delivered, settle } = await follow();
  others.noteStored(add(OWN, 1));
  add(OTHER, 2, 3);
  others.noteStored(add(OWN, 4, 5));
  add(OTHER, 6);
  await settle();
  expect(delivered).toEqual([2, 3, 6]);
  others.noteStored(add(OWN, 7));
  add(OTHER, 8);
  await settle();
  expect(delivered).toEqual([2, 3, 6, 8]);
  expect(read).not.toContain(7);
});

test('a notification that comes before the answer to a commit delivers none of its events', async () => {
  const { others, add, delivered, settle } = await follow();
  const own = add(OWN, 1, 2);
  add(OTHER, 3);
  await settle();
  others.noteStored(own);
  add(OTHER, 4);
  await settle();
  expect(delivered).toEqual([3, 4]);
});
