import { join } from 'node:path';
import { expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { SqliteEventStore } from './event-store.ts';
import { LedgerArchive } from './ledger-archive.ts';
import { LedgerCopy } from './ledger-copy.ts';
import { openDatabase } from './open-database.ts';
import { copyableRecords } from './record-copies.ts';

const PARTS = { clock: systemClock, random: systemRandom, projections: [] };

async function ledgerWith(texts: readonly string[]) {
  const file = join(tempFolder(), 'oka.db');
  const database = openDatabase({ file, now: () => Date.now() });
  const store = new SqliteEventStore({ ...PARTS, database, file });
  const archive = new LedgerArchive(database, store, []);
  archive.ensureTables();
  for (const text of texts)
    await store.commit({
      actor: 'test',
      sync: 'normal',
      appends: [{ stream: 'notes/a', events: [{ type: 'note.added', data: { text } }] }],
    });
  return copyableRecords(archive);
}

it('keeps the database open when two processes with one copy follow at the same time', async () => {
  const source = await ledgerWith(['one', 'two', 'three']);
  const folder = tempFolder();
  const copies = [new LedgerCopy(folder, PARTS), new LedgerCopy(folder, PARTS)];
  const databases = copies.map((copy) => copy.open().database);
  await Promise.all(copies.map((copy) => copy.follow(source)));
  for (const database of databases) expect(database.prepare('SELECT 1 AS one').get()).toEqual({ one: 1 });
  for (const copy of copies) {
    expect(copy.open().archive.head()).toEqual(await source.head());
    copy.close();
  }
});

it('makes a copy again that contradicts the ledger', async () => {
  const copy = new LedgerCopy(tempFolder(), PARTS);
  await copy.follow(await ledgerWith(['one', 'two']));
  const other = await ledgerWith(['three']);
  await copy.follow(other);
  expect(copy.open().archive.head()).toEqual(await other.head());
  copy.close();
});
