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

/** What the last worker of a workspace knew. The sink's own answer counts; this is for people who ask meanwhile. */
export interface RecordedReplication {
  readonly sink: string;
  /** Where the sink stood. */
  readonly seq?: number;
  readonly shippedAt?: EpochMs;
  /** Tries that failed since it last answered. */
  readonly failures?: number;
  readonly error?: { readonly code: string; readonly message: string; readonly at: EpochMs };
  readonly nextTryAt?: EpochMs;
}

/** The file `<folder>/replication.json`: a cache, whole or not there, whose loss costs nothing. */
export class ReplicationRecord {
  readonly #folder: string;
  readonly #file: string;

  constructor(folder: string) {
    this.#folder = folder;
    this.#file = join(folder, 'replication.json');
  }

  /** Undefined when there is none, or none that can be read. */
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
        `${this.#folder} is a link, and Oka follows none here; replace it by a folder, or remove it.`,
        { data: { path: this.#folder } },
      );
    }
    const temporary = `${this.#file}.new`;
    // A link that stands under this name goes before the file is made anew.
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
