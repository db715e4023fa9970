import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { expect, it, onTestFinished } from 'vitest';
import { openDatabase, openForReading } from '../src/adapters/sqlite/index.ts';
import { PROJECTIONS } from '../src/runtime/services/extensions.ts';
import { tempFolder } from './support/temp-folder.ts';

const now = (): number => 7;

function reading(file: string) {
  const opened = openForReading({ file, now, projections: PROJECTIONS });
  onTestFinished(() => {
    opened.database.close();
    opened.discard();
  });
  return opened;
}

/** A database that an older Oka made: a table that is folded now is missing. */
function olderDatabase(): string {
  const file = join(tempFolder(), 'oka.db');
  openDatabase({ file, now }).close();
  return file;
}

it('reads a database of an older Oka through a migrated copy, and never changes it', () => {
  const file = olderDatabase();
  const before = readFileSync(file);
  const { database, mode } = reading(file);
  expect(mode).toBe('copy');
  database.exec('CREATE TABLE own (id)');
  expect(readFileSync(file)).toEqual(before);
});

it('removes the copy when it is discarded', () => {
  const { database, discard } = openForReading({ file: olderDatabase(), now, projections: PROJECTIONS });
  const copies = (): readonly string[] =>
    readdirSync(tmpdir()).filter((name) => name.startsWith(`oka-read-${process.pid}-`));
  expect(copies()).not.toEqual([]);
  database.close();
  discard();
  expect(copies()).toEqual([]);
});

it('refuses an older database where no copy can be made, and says how to migrate it', () => {
  const file = olderDatabase();
  const kept = process.env['TMPDIR'];
  onTestFinished(() => {
    if (kept === undefined) delete process.env['TMPDIR'];
    else process.env['TMPDIR'] = kept;
  });
  process.env['TMPDIR'] = join(tempFolder(), 'missing');
  expect(() => openForReading({ file, now, projections: PROJECTIONS })).toThrow(
    expect.objectContaining({ code: 'ledger.needs_migration', message: expect.stringContaining('oka init') }),
  );
});

it('copies committed data while another process keeps the log', () => {
  const file = olderDatabase();
  const writer = new DatabaseSync(file);
  onTestFinished(() => writer.close());
  writer.exec("INSERT INTO tool_cache VALUES ('key', 'tool', '1', '', 0, NULL)");
  expect(statSync(`${file}-wal`).size).toBeGreaterThan(0);
  const { database, mode } = reading(file);
  expect(mode).toBe('copy');
  expect(database.prepare('SELECT key FROM tool_cache').all()).toMatchObject([{ key: 'key' }]);
});

it('creates no file where there is none', () => {
  const file = join(tempFolder(), 'oka.db');
  expect(reading(file).mode).toBe('empty');
  expect(existsSync(file)).toBe(false);
});
