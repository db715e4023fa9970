import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it, onTestFinished } from 'vitest';
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
  const data = { id: `k${i}`, at: i, importance: 3, confidence: 1 };
  const own = { type: 'fact.added', data, body: { text: `word ${i} ü`, source: 'näme "n"' } };
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
  expect(refusedOf(outcomes)).toEqual([7]);
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

const NO_SEVENS = `CREATE TRIGGER no_sevens BEFORE INSERT ON events
  WHEN new.type = 'fact.added' AND new.data LIKE '%"k7"%' BEGIN SELECT raise(ABORT, 'no sevens'); END`;

const refusedOf = (outcomes: readonly PromiseSettledResult<unknown>[]): readonly number[] =>
  outcomes.flatMap(({ status }, i) => (status === 'rejected' ? [i] : []));

it('keeps what one bad commit would spoil', async () => {
  const opened = await open();
  opened.other.database.exec(NO_SEVENS);
  const commits = Array.from({ length: MANY }, (_, i) => opened.store.commit(commitOf(i)));
  const outcomes = await Promise.allSettled(commits);
  expect(refusedOf(outcomes)).toEqual([7]);
  expect(outcomes[7]).toMatchObject({ reason: expect.any(OkaError) });
  const stored = outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));
  await expectSound(opened, stored);
});

describe('a group that follows one on its way', () => {
  /** A store whose first two groups are both handed in before the thread has either; `then` happens in between. */
  async function openForTwo(then: (opened: Opened) => unknown = () => undefined): Promise<Opened> {
    const ready: (() => void)[] = [];
    const opened = await open((store) => {
      if (ready.length === 2) return store();
      const answer = new Promise<void>((resolve) => ready.push(resolve)).then(store);
      if (ready.length === 2)
        void Promise.resolve(then(opened)).then(() => {
          for (const begin of ready) begin();
        });
      return answer;
    });
    return opened;
  }

  /** Hands in one group, and another before the first is stored. */
  async function handInTwo({
    store,
  }: Opened): Promise<readonly PromiseSettledResult<readonly LedgerEvent[]>[]> {
    const commits: Promise<readonly LedgerEvent[]>[] = [];
    for (const from of [0, MANY]) {
      for (let i = 0; i < MANY; i++) commits.push(store.commit(commitOf(from + i)));
      await turn();
      await turn();
    }
    return Promise.allSettled(commits);
  }

  const storedOf = (outcomes: Awaited<ReturnType<typeof handInTwo>>): LedgerEvent[] =>
    outcomes.flatMap((outcome) => (outcome.status === 'fulfilled' ? outcome.value : []));

  /** What was said in the stream that all share, in the order in which it stands there. */
  async function saidTogether({ store }: Opened): Promise<readonly number[]> {
    return (await store.read('shared')).map(({ data }) => (data as { i: number }).i);
  }

  const THIRDS = Array.from({ length: 2 * MANY }, (_, i) => i).filter((i) => i % 3 === 0);

  it('is chained to it', async () => {
    const opened = await openForTwo();
    const told = storedOf(await handInTwo(opened));
    expect(opened.groups()).toBe(2);
    await expectSound(opened, told);
    expect(opened.lines).toEqual(told.sort((a, b) => a.seq - b.seq).map(mirrorLine));
    expect(await saidTogether(opened)).toEqual(THIRDS);
  });

  it('is followed by others, and none of them is made again', async () => {
    const opened = await open();
    const commits: Promise<readonly LedgerEvent[]>[] = [];
    for (let i = 0; i < 20 * MANY; i++) {
      if (i % MANY === 0) await turn();
      commits.push(opened.store.commit(commitOf(i)));
    }
    const told = (await Promise.all(commits)).flat();
    await expectSound(opened, told);
    expect(opened.lines).toEqual(told.sort((a, b) => a.seq - b.seq).map(mirrorLine));
  });

  it('is made again behind it when another process has overtaken both', async () => {
    const opened = await openForTwo(({ other }) => other.store.commit(commitOf(5_000)));
    await expectSound(opened, storedOf(await handInTwo(opened)));
    expect(opened.groups()).toBe(2);
    expect(await saidTogether(opened)).toEqual(THIRDS);
  });

  it('is made again when housekeeping comes first', async () => {
    const note: Commit = {
      actor: 'test',
      sync: 'full',
      appends: [{ stream: 'system', events: [{ type: 'thing.happened', data: {} }] }],
    };
    const opened = await openForTwo(({ store }) => store.rewrite(note, () => undefined));
    await expectSound(opened, storedOf(await handInTwo(opened)));
    expect(await saidTogether(opened)).toEqual(THIRDS);
  });

  it('is kept when a bad commit spoils that one', async () => {
    const opened = await openForTwo();
    opened.other.database.exec(NO_SEVENS);
    const outcomes = await handInTwo(opened);
    expect(refusedOf(outcomes)).toEqual([7]);
    await expectSound(opened, storedOf(outcomes));
  });

  it('loses only the commit that has come too late', async () => {
    const sent: (() => void)[] = [];
    const opened = await open((store) => new Promise<void>((resolve) => sent.push(resolve)).then(store));
    const first = commitMany(opened);
    await turn();
    await turn();
    // The commit comes too late after what is still on its way.
    const second = Promise.allSettled(
      Array.from({ length: MANY }, (_, i) => opened.store.commit(commitOf(MANY - 1 + i))),
    );
    await turn();
    await turn();
    expect(sent).toHaveLength(1);
    const third = commitMany(opened, 3 * MANY);
    sent[0]?.();
    const told = [...(await first)];
    await turn();
    sent[1]?.();
    const outcomes = await second;
    expect(refusedOf(outcomes)).toEqual([0]);
    expect(outcomes[0]).toMatchObject({ reason: { code: 'ledger.conflict' } });
    told.push(...storedOf(outcomes), ...(await third));
    await expectSound(opened, told);
  });

  it('is stored when what stood in its way was not', async () => {
    let send = (): void => undefined;
    const opened = await open((store) => {
      const sent = opened.groups() === 1 ? new Promise<void>((resolve) => (send = resolve)) : undefined;
      return sent === undefined ? store() : sent.then(store);
    });
    opened.other.database.exec(NO_SEVENS);
    const first = Promise.allSettled(
      Array.from({ length: MANY }, (_, i) => opened.store.commit(commitOf(i))),
    );
    await turn();
    await turn();
    const seventh = { stream: 'memory/7', expectedIndex: 0, events: [{ type: 'thing.happened', data: {} }] };
    const second = opened.store.commit({ actor: 'test', sync: 'normal', appends: [seventh] });
    await turn();
    await turn();
    send();
    const outcomes = await first;
    expect(refusedOf(outcomes)).toEqual([7]);
    await expectSound(opened, [...storedOf(outcomes), ...(await second)]);
  });

  it.each([0, 1, 2])('is neither lost nor doubled when the thread ends after %i of them', async (stored) => {
    const stores: (() => ReturnType<GroupStore['store']>)[] = [];
    const rejects: ((error: Error) => void)[] = [];
    const opened = await open((store) => {
      stores.push(store);
      return new Promise((_, reject) => {
        rejects.push(reject);
        if (rejects.length === 2) void end();
      });
    });
    const end = async (): Promise<void> => {
      for (const store of stores.slice(0, stored)) await store();
      for (const reject of rejects) reject(new StoreEnded('gone'));
    };
    await expectSound(opened, storedOf(await handInTwo(opened)));
    expect(await saidTogether(opened)).toEqual(THIRDS);
  });
});

it('says so when it is given something after its end', async () => {
  const workspace = tempFolder();
  await openTestLedger(workspace).close();
  const thread = new StoreThread(join(workspace, '.oka', 'oka.db'));
  while (!thread.isReady) await turn();
  await thread.close();
  const nothing = { statements: [], calls: [], values: [] };
  const request = { sync: 'normal' as const, head: '', events: [], changes: nothing };
  await expect(thread.store(request)).rejects.toThrow(StoreEnded);
});

it.each<[string, (file: string, onLost: (why: string) => void) => GroupStore]>([
  [
    'may not be started',
    () => {
      throw new Error('no threads here');
    },
  ],
  ['cannot open the database', (file, onLost) => new StoreThread(join(file, 'nothing'), onLost)],
])('stores everything here, with one warning, when a thread %s', async (_, startThread) => {
  const workspace = tempFolder();
  mkdirSync(join(workspace, '.oka'));
  const other = openTestLedger(workspace);
  const file = join(workspace, '.oka', 'oka.db');
  const database = openDatabase({ file, now: () => 0 });
  const ports = { clock: new ManualClock(), random: seededRandom(1) };
  const warnings: string[] = [];
  const onWarning = (message: string): void => void warnings.push(message);
  const options = { database, file, projections: PROJECTIONS, ...ports, startThread, onWarning };
  const store = new SqliteEventStore(options);
  const opened = { store, other, groups: () => 0, lines: [] };
  const told = [...(await commitMany(opened)), ...(await commitMany(opened, MANY))];
  await expectSound(opened, told);
  await store.close();
  expect(warnings).toEqual([expect.stringContaining('No thread stores events (')]);
  database.close();
  await other.close();
});
