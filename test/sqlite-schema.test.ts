import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openDatabase, requireSafeSqlite } from '../src/adapters/sqlite/index.ts';
import { MIGRATIONS, migrate, schemaVersion } from '../src/adapters/sqlite/migrations.ts';
import { openTestLedger } from './support/open-test-ledger.ts';
import { tempFolder } from './support/temp-folder.ts';

describe('the schema', () => {
  it('of a newer Oka is refused, and stays unchanged', async () => {
    const workspace = tempFolder();
    const ledger = openTestLedger(workspace);
    await ledger.startWriting();
    ledger.database.exec("INSERT INTO migrations VALUES (999, 'newer', 0); PRAGMA user_version = 999");
    await ledger.close();
    expect(() => openTestLedger(workspace)).toThrowError(
      expect.objectContaining({ code: 'ledger.newer_schema' }),
    );
  });

  it('that does not match its record of migrations is damage', async () => {
    const workspace = tempFolder();
    const ledger = openTestLedger(workspace);
    await ledger.startWriting();
    ledger.database.exec('PRAGMA user_version = 18');
    await ledger.close();
    expect(() => openTestLedger(workspace)).toThrowError(expect.objectContaining({ code: 'ledger.damaged' }));
  });

  it.each(MIGRATIONS.map((step) => step.version))(
    'is migrated from version %i, and each step is recorded',
    (version) => {
      const file = join(tempFolder(), 'steps.db');
      const database = new DatabaseSync(file);
      onTestFinished(() => database.close());
      migrate(database, file, () => 7, MIGRATIONS.slice(0, version));
      expect(schemaVersion(database)).toBe(version);
      migrate(database, file, () => 8);
      expect(schemaVersion(database)).toBe(MIGRATIONS.length);
      expect(database.prepare('SELECT version, applied_at FROM migrations ORDER BY version').all()).toEqual(
        MIGRATIONS.map((step) => ({ version: step.version, applied_at: step.version <= version ? 7 : 8 })),
      );
    },
  );

  it('step that fails leaves the database unchanged', () => {
    const file = join(tempFolder(), 'bad.db');
    const database = openDatabase({ file, now: () => 7 });
    const bad = [
      ...MIGRATIONS,
      { version: 99, name: 'bad', sql: 'CREATE TABLE fine (a INTEGER) STRICT; NONSENSE' },
    ];
    expect(() => migrate(database, file, () => 8, bad)).toThrow();
    expect(schemaVersion(database)).toBe(MIGRATIONS.length);
    expect(database.prepare("SELECT count(*) AS n FROM sqlite_schema WHERE name = 'fine'").get()).toEqual({
      n: 0,
    });
    database.close();
  });

  it.each([
    ['3.51.2', false],
    ['3.51.3', true],
    ['3.53.0', true],
    ['4.0.0', true],
    ['3.9.9', false],
  ])('requires a SQLite version that does not lose data: %s', (version, ok) => {
    if (ok) expect(() => requireSafeSqlite(version)).not.toThrow();
    else
      expect(() => requireSafeSqlite(version)).toThrowError(
        expect.objectContaining({ code: 'ledger.unsupported_sqlite' }),
      );
  });

  it('of a file that is not a database is damage', () => {
    const workspace = tempFolder();
    const ledger = openTestLedger(workspace);
    ledger.database.close();
    writeFileSync(
      join(workspace, '.oka', 'oka.db'),
      'this is not a database, surely not, it is only text\n'.repeat(200),
    );
    for (const tail of ['-wal', '-shm']) rmSync(join(workspace, '.oka', `oka.db${tail}`), { force: true });
    expect(() => openTestLedger(workspace)).toThrowError(expect.objectContaining({ code: 'ledger.damaged' }));
  });
});
