import {
  closeSync,
  constants,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { type EpochMs, OkaError } from '../../kernel/index.ts';

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
      const value = JSON.parse(readFileSync(this.#file, 'utf8')) as RecordedReplication | null;
      return typeof value?.sink === 'string' ? value : undefined;
    } catch {
      return undefined;
    }
  }

  write(record: RecordedReplication): void {
    mkdirSync(this.#folder, { recursive: true, mode: 0o700 });
    if (lstatSync(this.#folder).isSymbolicLink()) {
      throw new OkaError(
        'config.link_refused',
        `${this.#folder} is a symbolic link, which Oka does not follow here. Replace it with a folder, or remove it.`,
        { data: { path: this.#folder } },
      );
    }
    const temporary = `${this.#file}.new`;
    // Also removes a symbolic link of this name.
    rmSync(temporary, { force: true });
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL | constants.O_NOFOLLOW;
    const descriptor = openSync(temporary, flags, 0o600);
    try {
      writeFileSync(descriptor, `${JSON.stringify(record, null, 2)}\n`);
    } finally {
      closeSync(descriptor);
    }
    renameSync(temporary, this.#file);
  }
}
