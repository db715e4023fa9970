import { join } from 'node:path';
import { makePrivateFolder, readJsonFile, replaceFile } from '../../disk/index.ts';
import type { EpochMs } from '../../kernel/index.ts';

/** What the last worker of a workspace knew. The sink's own answer is authoritative; this is for status queries. */
export interface RecordedReplication {
  readonly sink: string;
  /** The sink's last known position. */
  readonly seq?: number;
  readonly shippedAt?: EpochMs;
  /** Failed attempts since the last answer. */
  readonly failures?: number;
  readonly error?: { readonly code: string; readonly message: string; readonly at: EpochMs };
  readonly nextTryAt?: EpochMs;
}

/** The file `<folder>/replication.json`: a cache that is written atomically and can be lost. */
export class ReplicationRecord {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, 'replication.json');
  }

  /** Undefined if there is no readable record. */
  read(): RecordedReplication | undefined {
    try {
      const value = readJsonFile(this.#file) as RecordedReplication | null;
      return typeof value?.sink === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }

  write(record: RecordedReplication): void {
    makePrivateFolder(this.#folder);
    replaceFile(this.#file, `${JSON.stringify(record, null, 2)}\n`);
  }
}
