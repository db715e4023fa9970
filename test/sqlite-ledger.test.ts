import { copyFileSync, existsSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { readSnapshot } from '../src/adapters/sqlite/index.ts';
import { eventStoreConformance } from '../src/ledger/event-store.conformance.ts';
import { Oka, type SqliteLedger } from '../src/runtime/index.ts';
import { ManualClock, settle } from './support/manual-clock.ts';
import { openForThisTest as open, openTestLedger } from './support/open-test-ledger.ts';
import { tempFolder } from './support/temp-folder.ts';
import { verifyLedger } from './support/verify-ledger.ts';

eventStoreConformance('SqliteEventStore', () => open().store);

async function fill(ledger: SqliteLedger, count = 12): Promise<void> {
  await ledger.startWriting();
  for (let i = 0; i < count; i++) {
    await ledger.store.commit({
      actor: 'test',
      sync: i % 4 === 0 ? 'full' : 'normal',
      appends: [
        {
          stream: `memory/${i % 2}`,
          events: [
            {
              type: 'fact.added',
              data: { id: `k${i}`, at: i, importance: 3, confidence: 1 },
              body: { text: `secret word ${i} ü` },
            },
          ],
        },
        ...(i % 3 === 0 ? [{ stream: 'system', events: [{ type: 'thing.happened', data: { i } }] }] : []),
      ],
    });
  }
  ledger.mirror.flush();
}

/** The driver frees a connection when nothing refers to it any more, so this keeps no reference. */
async function writeAndClose(workspace: string): Promise<void> {
  const ledger = openTestLedger(workspace);
  await fill(ledger);
  await ledger.close();
}

function mirrorOf(workspace: string): string {
  return join(workspace, '.oka', 'run_ledger.jsonl');
}

describe('the mirror', () => {
  it('has a line for each event, equal to the ledger', async () => {
    const workspace = tempFolder();
    const ledger = open(workspace);
    await fill(ledger);
    const lines = readFileSync(mirrorOf(workspace), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength((await ledger.store.head()).seq);
    expect((await verifyLedger(ledger)).faults).toEqual([]);
  });

  it('repairs a torn last line and reports it', async () => {
    const workspace = tempFolder();
    const first = open(workspace);
    await fill(first);
    await first.close();
    const whole = readFileSync(mirrorOf(workspace));
    for (const cut of [1, 2, 40, 300]) {
      writeFileSync(mirrorOf(workspace), whole.subarray(0, whole.length - cut));
      const again = open(workspace);
      const mended = await again.startWriting();
      expect(mended.length).toBeGreaterThan(0);
      expect((await verifyLedger(again)).faults).toEqual([]);
      await again.close();
      expect(readFileSync(mirrorOf(workspace)).equals(whole)).toBe(true);
    }
  });

  it('restores missing events in an older database', async () => {
    const workspace = tempFolder();
    const first = open(workspace);
    await fill(first, 4);
    await first.close();
    const database = join(workspace, '.oka', 'oka.db');
    copyFileSync(database, `${database}.backup`);
    const second = open(workspace);
    await fill(second, 4);
    const whole = (await second.store.head()).seq;
    await second.close();
    copyFileSync(`${database}.backup`, database);
    const third = open(workspace);
    expect((await third.store.head()).seq).toBeLessThan(whole);
    expect((await third.startWriting()).join()).toMatch(/^Recovered \d+ events from run_ledger\.jsonl/);
    expect((await third.store.head()).seq).toBe(whole);
    expect(await verifyLedger(third)).toMatchObject({ ok: true });
  });

  it('is written by one of several processes, and complete when the last one closes', async () => {
    const workspace = tempFolder();
    const owners = (self: string) => ({ self, isAlive: () => true });
    const a = openTestLedger(workspace, { owners: owners('a') });
    const b = openTestLedger(workspace, { owners: owners('b'), seed: 2 });
    await a.startWriting();
    await b.startWriting();
    for (let i = 0; i < 10; i++) {
      const ledger = i % 2 === 0 ? a : b;
      await ledger.store.commit({
        actor: 'x',
        sync: 'normal',
        appends: [{ stream: 's', events: [{ type: 'a.b', data: { i } }] }],
      });
    }
    await b.close();
    await a.close();
    const again = open(workspace);
    expect(await again.startWriting()).toEqual([]);
    expect((await verifyLedger(again)).faults).toEqual([]);
  });

  it.each([
    ['rests for a second', 1_000],
    ['is asleep until its lease has run out', 60_000],
  ])(
    'is written alternately by long-running processes, when one %s while others write',
    async (_, restMs) => {
      const { clock, open: openAs, say } = byTurns();
      const [a, b] = [await openAs('a'), await openAs('b')];
      for (const ledger of [a, b, a, b, b, a]) {
        await say(ledger);
        clock.advance(restMs);
        // Whoever had to wait for another tries again.
        clock.advance(1_000);
        expect(await verifyLedger(ledger)).toMatchObject({ ok: true });
      }
      clock.advance(1_000);
      b.mirror.rewrite();
      clock.advance(restMs);
      await say(a);
      await a.close();
      expect((await verifyLedger(b)).faults).toEqual([]);
      await b.close();
    },
  );
});

/** Ledgers of several processes on one workspace, with one clock. */
function byTurns() {
  const workspace = tempFolder();
  const clock = new ManualClock();
  let seed = 0;
  return {
    clock,
    workspace,
    open: async (self: string): Promise<SqliteLedger> => {
      seed += 1;
      const ledger = openTestLedger(workspace, { clock, owners: { self, isAlive: () => true }, seed });
      await ledger.startWriting();
      return ledger;
    },
    say: (ledger: SqliteLedger) =>
      ledger.store.commit({
        actor: 'x',
        sync: 'normal',
        appends: [{ stream: 's', events: [{ type: 'a.b', data: {}, body: { text: 'secret word' } }] }],
      }),
  };
}

describe('verify', () => {
  it('leaves no reader behind that keeps erased content in the log', async () => {
    const workspace = tempFolder();
    const ledger = open(workspace);
    await fill(ledger);
    const statements: unknown[] = [];
    await readSnapshot(join(workspace, '.oka', 'oka.db'), async (database) => {
      const statement = database.prepare('SELECT seq FROM events');
      expect(statement.all().length).toBeGreaterThan(0);
      // The driver frees the connection only with its statements.
      statements.push(statement);
    });
    const truncated = ledger.database.prepare('PRAGMA wal_checkpoint(TRUNCATE)').get();
    expect({ ...truncated, statements: statements.length }).toMatchObject({ busy: 0, statements: 1 });
  });

  it('names the line of any flipped byte of the mirror', async () => {
    const workspace = tempFolder();
    const ledger = open(workspace);
    await fill(ledger);
    const whole = readFileSync(mirrorOf(workspace));
    for (const at of fc.sample(fc.nat(whole.length - 1), { numRuns: 50, seed: 42 })) {
      const damaged = Buffer.from(whole);
      damaged[at] = (damaged[at] as number) ^ 1;
      writeFileSync(mirrorOf(workspace), damaged);
      const { faults, mirrorEqual } = await verifyLedger(ledger);
      const line = whole.subarray(0, at).toString('latin1').split('\n').length;
      expect(mirrorEqual, `byte ${at}`).toBe(false);
      // Without its newline the last line looks unfinished, as beside a live writer; the next writer completes it.
      if (at < whole.length - 1)
        expect(faults[0]?.where, `byte ${at}`).toMatch(new RegExp(`line ${line}\\b|line ${line + 1}\\b`));
    }
    writeFileSync(mirrorOf(workspace), whole);
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true });
  });

  it.each([
    'data',
    'body',
    'type',
    'at',
    'actor',
    'chain',
    'salt',
    'body_digest',
    'ends',
    'idx',
    'stream_id',
    'seq',
  ])('names an event whose %s was changed', async (column) => {
    const workspace = tempFolder();
    const ledger = open(workspace);
    await fill(ledger);
    const numeric = ['at', 'ends', 'idx', 'stream_id', 'seq'].includes(column);
    const changed =
      column === 'ends'
        ? '1 - ends'
        : numeric
          ? `${column} + 1000`
          : `replace(${column}, substr(${column}, 3, 1), 'Q')`;
    ledger.database.exec(`UPDATE events SET ${column} = ${changed} WHERE seq = 5`);
    const answer = await verifyLedger(ledger);
    expect(answer.ok).toBe(false);
    expect(answer.faults.map((fault) => fault.where).join()).toMatch(/seq (5|6)/);
  });

  it('detects a dropped event, a dropped stream and a cut tail', async () => {
    for (const sql of [
      'DELETE FROM events WHERE seq = 4',
      'DELETE FROM events WHERE stream_id = 2',
      'DELETE FROM events WHERE seq > 12',
    ]) {
      const ledger = open();
      await fill(ledger);
      ledger.database.exec(sql);
      expect((await verifyLedger(ledger)).ok).toBe(false);
    }
  });

  it('detects a folded table that was changed by hand, and rebuilds it', async () => {
    const ledger = open();
    await fill(ledger);
    ledger.database.exec(
      `UPDATE facts SET text = 'forged' WHERE id = 'k3'; DELETE FROM facts WHERE id = 'k4'`,
    );
    const before = await verifyLedger(ledger);
    expect(before.faults.map((fault) => fault.where)).toEqual([
      'table facts, row k3 0',
      'table facts, row k4 0',
    ]);
    ledger.archive.rebuildTables();
    expect((await verifyLedger(ledger)).ok).toBe(true);
  });

  it('detects a mirror that is damaged in the middle, and rewrites it', async () => {
    const workspace = tempFolder();
    const ledger = open(workspace);
    await fill(ledger);
    const lines = readFileSync(mirrorOf(workspace), 'utf8').split('\n');
    lines.splice(3, 2);
    writeFileSync(mirrorOf(workspace), lines.join('\n'));
    expect((await verifyLedger(ledger)).mirrorEqual).toBe(false);
    ledger.mirror.rewrite();
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true, mirrorEqual: true });
  });
});

describe('rebuild', () => {
  const dump = (ledger: SqliteLedger) =>
    ['events', 'streams', 'runs', 'approvals', 'artifacts', 'facts', 'archived_events'].map((table) =>
      ledger.database.prepare(`SELECT * FROM ${table} ORDER BY 1, 2`).all(),
    );

  it('restores a deleted database from the mirror, table for table', async () => {
    const workspace = tempFolder();
    const first = open(workspace);
    await fill(first);
    first.archive.erase([{ stream: 'memory/0', index: 1 }], 'test', 'wanted');
    await first.mirror.settle();
    first.archive.archive(['memory/1'], 'test', 'old');
    first.mirror.rewrite();
    const before = dump(first);
    await first.close();
    for (const tail of ['', '-wal', '-shm'])
      rmSync(join(workspace, '.oka', `oka.db${tail}`), { force: true });
    const oka = new Oka({ workspace, home: tempFolder(), clock: new ManualClock() });
    await expect(oka.runs.list({ limit: 1 })).rejects.toMatchObject({ code: 'ledger.database_missing' });
    expect(await oka.ledger.rebuild()).toMatchObject({ from: 'mirror', dropped: 0 });
    await oka.close();
    const rebuilt = open(workspace);
    expect(dump(rebuilt)).toEqual(before);
    expect((await verifyLedger(rebuilt)).faults).toEqual([]);
  });

  it('leaves out a last transaction that is incomplete in the mirror', async () => {
    const workspace = tempFolder();
    const first = open(workspace);
    await fill(first, 4);
    await first.close();
    const lines = readFileSync(mirrorOf(workspace), 'utf8').trimEnd().split('\n');
    writeFileSync(mirrorOf(workspace), `${lines.slice(0, -1).join('\n')}\n{"seq":`);
    rmSync(join(workspace, '.oka', 'oka.db'));
    const oka = new Oka({ workspace, home: tempFolder(), clock: new ManualClock() });
    expect(await oka.ledger.rebuild()).toMatchObject({
      from: 'mirror',
      events: lines.length - 2,
      dropped: 1,
    });
    await oka.init({ trust: true });
    expect(await oka.ledger.verify({ full: true })).toMatchObject({ ok: true });
    await oka.close();
  });

  it('refuses a damaged mirror, names the line and keeps the tables', async () => {
    const workspace = tempFolder();
    await writeAndClose(workspace);
    const whole = readFileSync(mirrorOf(workspace), 'utf8');
    writeFileSync(mirrorOf(workspace), whole.replace('secret word 3', 'secret word 9'));
    const size = statSync(join(workspace, '.oka', 'oka.db')).size;
    const oka = new Oka({ workspace, home: tempFolder(), clock: new ManualClock() });
    await expect(oka.ledger.rebuild('mirror')).rejects.toMatchObject({
      code: 'ledger.damaged',
      message: expect.stringMatching(/event \d+ does not continue|line \d+/),
    });
    expect(statSync(join(workspace, '.oka', 'oka.db')).size).toBe(size);
    await oka.close();
  });
});

describe('erasure', () => {
  it('leaves nothing of the content in any file, and the chain valid', async () => {
    const workspace = tempFolder();
    const ledger = open(workspace);
    await fill(ledger);
    const files = ['oka.db', 'oka.db-wal', 'run_ledger.jsonl'].map((name) => join(workspace, '.oka', name));
    const holds = (text: string) =>
      files.some((file) => existsSync(file) && readFileSync(file).includes(text));
    expect(holds('secret word 5')).toBe(true);
    const size = statSync(mirrorOf(workspace)).size;
    ledger.archive.erase([{ stream: 'memory/1', index: 2 }], 'test', 'asked for');
    await ledger.mirror.settle();
    expect(holds('secret word 5')).toBe(false);
    expect(holds('secret word 4')).toBe(true);
    expect(statSync(mirrorOf(workspace)).size).toBeGreaterThan(size);
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true, mirrorEqual: true });
  });

  it('removes content from the mirror while another process writes it, which does not restore it', async () => {
    const { clock, workspace, open: openAs, say } = byTurns();
    const [writer, eraser] = [await openAs('writer'), await openAs('eraser')];
    await say(writer);
    const gone = { stream: 's', index: 0 };
    const erasing = eraser.mirror.settle().then(async () => {
      eraser.archive.erase([gone], 'test', 'asked for');
      await eraser.mirror.settle();
    });
    // The writer has noted the words and not written them yet; it goes on writing, and has the lease all the time.
    for (let i = 0; i < 8; i++) {
      await settle();
      clock.advance(25);
      await writer.store.commit({
        actor: 'x',
        sync: 'normal',
        appends: [{ stream: 'other', events: [{ type: 'a.b', data: { i } }] }],
      });
    }
    await erasing;
    expect((await writer.leases.holder('mirror'))?.owner).toBe('writer');
    expect(readFileSync(mirrorOf(workspace), 'utf8')).not.toContain('secret word');
    await writer.close();
    expect((await verifyLedger(eraser)).faults).toEqual([]);
    await eraser.close();
  });

  it('that a crash interrupted before the mirror is completed by the next writer', async () => {
    const workspace = tempFolder();
    const first = open(workspace);
    await fill(first);
    await first.close();
    // Without startWriting nothing reaches the mirror, as if the process had died after the database was changed.
    const killed = open(workspace);
    killed.archive.erase([{ stream: 'memory/1', index: 2 }], 'test', 'asked for');
    killed.archive.archive(['memory/0'], 'test', 'old');
    killed.database.close();
    expect(readFileSync(mirrorOf(workspace), 'utf8')).toContain('secret word 5');
    const next = open(workspace);
    await next.startWriting();
    const lines = readFileSync(mirrorOf(workspace), 'utf8');
    expect(lines).not.toContain('secret word 5');
    expect(lines).not.toContain('secret word 4');
    expect(await verifyLedger(next)).toMatchObject({ ok: true });
  });

  it('is distinguished from a body that was removed by hand', async () => {
    const ledger = open();
    await fill(ledger);
    ledger.database.exec('UPDATE events SET body = NULL, salt = NULL WHERE seq = 5');
    const { faults } = await verifyLedger(ledger);
    expect(faults.map((fault) => fault.what).join()).toMatch(/no tombstone names it/);
  });
});
