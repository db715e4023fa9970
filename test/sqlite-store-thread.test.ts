import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase, SqliteEventStore } from '../src/adapters/sqlite/index.ts';
import { type GroupStore, StoreEnded, StoreThread } from '../src/adapters/sqlite/store-thread.ts';
import { OkaError } from '../src/kernel/index.ts';
import { type Commit, type LedgerEvent, mirrorLine } from '../src/ledger/index.ts';
import { PROJECTIONS } from '../src/runtime/extensions.ts';
import type { OpenLedger } from '../src/runtime/index.ts';
import { ManualClock } from './support/manual-clock.ts';
import { openTestLedger } from './support/open-test-ledger.ts';
import { seededRandom } from './support/seeded-random.ts';
import { tempFolder } from './support/temp-folder.ts';

const MANY = 100;
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

type Around = (store: () => ReturnType<GroupStore['store']>) => ReturnType<GroupStore['store']>;

interface Opened {
  readonly store: SqliteEventStore;
  /** Another process's view of the same ledger. */
  readonly other: OpenLedger;
  /** How many groups the thread was given. */
  readonly groups: () => number;
  readonly lines: string[];
}

/** A store whose thread is ready; `around` stands between the two. */
async function open(around: Around = (store) => store()): Promise<Opened> {
  const workspace = tempFolder();
  const other = openTestLedger(workspace, { seed: 2 });
  const file = join(workspace, '.oka', 'oka.db');
  const thread = new StoreThread(file);
  while (!thread.isReady) await turn();
  let groups = 0;
  const startThread = (): GroupStore => ({
    isReady: true,
    store(request) {
      groups += 1;
      return around(() => thread.store(request));
    },
    close: () => thread.close(),
  });
  const database = openDatabase({ file, now: () => 0 });
  const ports = { clock: new ManualClock(), random: seededRandom(1) };
  const store = new SqliteEventStore({ database, file, projections: PROJECTIONS, ...ports, startThread });
  const lines: string[] = [];
  store.subscribe((_, bytes) => {
    if (bytes !== undefined) lines.push(...new TextDecoder().decode(bytes).trimEnd().split('\n'));
  });
  onTestFinished(async () => {
    await store.close();
    database.close();
    await other.close();
  });
  return { store, other, groups: () => groups, lines };
}

/** A commit that folds a row, and every third one with a second stream that all of them share. */
function commitOf(i: number): Commit {
  const data = { id: `k${i}`, namespace: 'näme "n"', at: i };
  const own = { type: 'knowledge.stored', data, body: { text: `word ${i} ü` } };
  const shared = { stream: 'shared', events: [{ type: 'thing.happened', data: { i } }] };
  return {
    actor: i % 2 === 0 ? 'test' : 'a "quoted" one',
    sync: i % 5 === 0 ? 'full' : 'normal',
    appends: [{ stream: `memory/${i}`, expectedIndex: 0, events: [own] }, ...(i % 3 === 0 ? [shared] : [])],
  };
}

async function commitMany({ store }: Opened, from = 0): Promise<readonly LedgerEvent[]> {
  const commits = Array.from({ length: MANY }, (_, i) => store.commit(commitOf(from + i)));
  return (await Promise.all(commits)).flat();
}

/** Everything is there once, in order, chained, folded, and as the committers were told. */
async function expectSound({ store, other }: Opened, told: readonly LedgerEvent[]): Promise<void> {
  const stored = await store.readAfter(0, 10_000);
  expect(stored.map(({ seq }) => seq)).toEqual(stored.map((_, i) => i + 1));
  expect(other.archive.verify().faults).toEqual([]);
  const bySeq = new Map(stored.map((event) => [event.seq, mirrorLine(event)]));
  for (const event of told) expect(mirrorLine(event)).toBe(bySeq.get(event.seq));
  expect(new Set(told.map(({ seq }) => seq)).size).toBe(told.length);
}

it('stores a large group as it would be stored here, with its lines for the mirror', async () => {
  const opened = await open();
  const told = [...(await commitMany(opened)), ...(await commitMany(opened, MANY))];
  expect(opened.groups()).toBe(2);
  await expectSound(opened, told);
  expect(opened.lines).toEqual(told.sort((a, b) => a.seq - b.seq).map(mirrorLine));
});

it('goes on here where the thread left off, and there where it was left here', async () => {
  const opened = await open();
  const told = [...(await commitMany(opened))];
  told.push(...(await opened.store.commit(commitOf(3_000))));
  told.push(...(await commitMany(opened, MANY)));
  await expectSound(opened, told);
});

it('refuses only the commit that has come too late', async () => {
  const opened = await open();
  const first = await opened.store.commit(commitOf(7));
  const commits = Array.from({ length: MANY }, (_, i) => opened.store.commit(commitOf(i)));
  const outcomes = await Promise.allSettled(commits);
  const refused = outcomes.flatMap((outcome, i) => (outcome.status === 'rejected' ? [i] : []));
  expect(refused).toEqual([7]);
  expect(outcomes[7]).toMatchObject({ reason: { code: 'ledger.conflict' } });
  const stored = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  await expectSound(opened, [...first, ...stored]);
});

it('makes a group again that another process has overtaken', async () => {
  const overtaken = await open(async (store) => {
    await overtaken.other.store.commit(commitOf(5_000 + overtaken.groups()));
    return store();
  });
  const told = [...(await commitMany(overtaken)), ...(await commitMany(overtaken, MANY))];
  expect(overtaken.groups()).toBe(2);
  await expectSound(overtaken, told);
});

it.each(['before', 'after'])('stands housekeeping %s a group that is on its way', async (when) => {
  const note: Commit = {
    actor: 'test',
    sync: 'full',
    appends: [{ stream: 'system', events: [{ type: 'thing.happened', data: {} }] }],
  };
  const kept: LedgerEvent[] = [];
  const opened = await open(async (store) => {
    const keep = (): void => void kept.push(...opened.store.rewrite(note, () => undefined));
    if (when === 'before') keep();
    const answer = await store();
    if (when === 'after') keep();
    return answer;
  });
  const told = [...(await commitMany(opened)), ...(await commitMany(opened, MANY))];
  expect(kept).toHaveLength(2);
  await expectSound(opened, [...told, ...kept]);
});

it.each(['before', 'after'])(
  'loses and doubles nothing when the thread ends %s it has stored',
  async (when) => {
    const opened = await open(async (store) => {
      if (when === 'after') await store();
      throw new StoreEnded('gone');
    });
    await expectSound(opened, await commitMany(opened));
  },
);

it('keeps what one bad commit would spoil', async () => {
  const opened = await open();
  opened.other.database.exec(
    `CREATE TRIGGER no_sevens BEFORE INSERT ON events WHEN new.type = 'knowledge.stored' AND new.data LIKE '%"k7"%'
     BEGIN SELECT raise(ABORT, 'no sevens'); END`,
  );
  const commits = Array.from({ length: MANY }, (_, i) => opened.store.commit(commitOf(i)));
  const outcomes = await Promise.allSettled(commits);
  expect(outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []))).toEqual([7]);
  expect(outcomes[7]).toMatchObject({ reason: expect.any(OkaError) });
  const stored = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  await expectSound(opened, stored);
});

it.each<[string, (file: string) => GroupStore]>([
  [
    'may not be started',
    () => {
      throw new Error('no threads here');
    },
  ],
  ['cannot open the database', (file) => new StoreThread(join(file, 'nothing'))],
])('stores everything here when a thread %s', async (_, startThread) => {
  const workspace = tempFolder();
  mkdirSync(join(workspace, '.oka'));
  const other = openTestLedger(workspace);
  const file = join(workspace, '.oka', 'oka.db');
  const database = openDatabase({ file, now: () => 0 });
  const ports = { clock: new ManualClock(), random: seededRandom(1) };
  const store = new SqliteEventStore({ database, file, projections: PROJECTIONS, ...ports, startThread });
  const opened = { store, other, groups: () => 0, lines: [] };
  const told = [...(await commitMany(opened)), ...(await commitMany(opened, MANY))];
  await expectSound(opened, told);
  await store.close();
  database.close();
  await other.close();
});
