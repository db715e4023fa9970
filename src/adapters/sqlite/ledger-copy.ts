import { existsSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { makePrivateFolder } from '../../disk/index.ts';
import { type Clock, type EpochMs, isOkaError, type Random } from '../../kernel/index.ts';
import { copyRecords, type Projection, type RecordSource } from '../../ledger/index.ts';
import type { Database } from './driver.ts';
import { SqliteEventStore } from './event-store.ts';
import { LedgerArchive } from './ledger-archive.ts';
import { openDatabase, removeDatabase } from './open-database.ts';
import { copyableRecords } from './record-copies.ts';

interface CopyParts {
  readonly clock: Clock;
  readonly random: Random;
  readonly projections: readonly Projection[];
}

interface OpenCopy {
  readonly database: Database;
  readonly store: SqliteEventStore;
  readonly archive: LedgerArchive;
}

/** A copy of a ledger that is elsewhere, opened on first use. Losing it only costs time. */
export class LedgerCopy {
  readonly file: string;
  readonly #folder: string;
  readonly #parts: CopyParts;
  #opened: OpenCopy | undefined;

  constructor(folder: string, parts: CopyParts) {
    this.#folder = folder;
    this.file = join(folder, 'oka.db');
    this.#parts = parts;
  }

  /** When it was last equal to the ledger; undefined if it never was. */
  get followedAt(): EpochMs | undefined {
    return statSync(this.#marker, { throwIfNoEntry: false })?.mtimeMs;
  }

  get #marker(): string {
    return join(this.#folder, 'followed');
  }

  open(): OpenCopy {
    if (this.#opened === undefined) {
      makePrivateFolder(this.#folder);
      const { file } = this;
      const { clock, projections } = this.#parts;
      const database = openDatabase({ file, now: () => clock.now() });
      const store = new SqliteEventStore({ ...this.#parts, database, file });
      const archive = new LedgerArchive(database, store, projections);
      archive.ensureTables();
      this.#opened = { database, store, archive };
    }
    return this.#opened;
  }

  /** Copies what is new in the source. A copy that contradicts it is made again. */
  async follow(source: RecordSource): Promise<void> {
    for (let isNew = false; ; ) {
      const { archive } = this.open();
      const { seq } = archive.head();
      try {
        await copyRecords(source, copyableRecords(archive));
        writeFileSync(this.#marker, '', { mode: 0o600 });
        return;
      } catch (error) {
        if (!isOkaError(error, 'ledger.diverged')) throw error;
        // Other processes on this machine share the file, and may have stored the same records first.
        if (archive.head().seq !== seq) continue;
        if (isNew) throw error;
        this.close();
        removeDatabase(this.file);
        isNew = true;
      }
    }
  }

  /** Keeps the copy under another name, which is returned; undefined if there is none. */
  setAside(suffix: string): string | undefined {
    this.close();
    if (!existsSync(this.file)) return undefined;
    const kept = `${this.file}.${suffix}`;
    for (const tail of ['', '-wal'])
      if (existsSync(this.file + tail)) renameSync(this.file + tail, kept + tail);
    return kept;
  }

  close(): void {
    this.#opened?.database.close();
    this.#opened = undefined;
  }
}
