import {
  closeSync,
  constants,
  existsSync,
  fchmodSync,
  fstatSync,
  fsyncSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import type { VaultErrorCode } from '../../vault/index.ts';

/** Runs synchronous work under a lock between processes. */
export type Exclusively = <T>(work: () => T) => T;

/** A file that several processes replace atomically under a lock; its old content is overwritten. */
export class LockedFile {
  readonly path: string;
  readonly #exclusively: Exclusively;

  constructor(path: string, exclusively: Exclusively) {
    this.path = path;
    this.#exclusively = exclusively;
  }

  get exists(): boolean {
    return existsSync(this.path);
  }

  /**
   * Parses the file; undefined if there is none. `parse` may throw if something looks damaged, because the file may have been
   * replaced and overwritten while it was read. It is then called again under the lock with `certain`.
   */
  read<T>(parse: (bytes: Uint8Array, certain: boolean) => T): T | undefined {
    try {
      const bytes = this.#bytes();
      return bytes && parse(bytes, false);
    } catch {
      return this.#exclusively(() => {
        const bytes = this.#bytes();
        return bytes && parse(bytes, true);
      });
    }
  }

  /** Replaces the file durably and atomically with what `change` returns, or leaves it if that is undefined. */
  update(change: (bytes: Uint8Array | undefined) => string | undefined): void {
    this.#exclusively(() => {
      const text = change(this.#bytes());
      if (text !== undefined) this.#replace(text);
    });
  }

  #bytes(): Uint8Array | undefined {
    let descriptor: number;
    try {
      descriptor = openSync(this.path, constants.O_RDONLY | constants.O_NOFOLLOW);
    } catch (error) {
      const { code } = error as NodeJS.ErrnoException;
      if (code === 'ENOENT') return undefined;
      if (code === 'ELOOP') throw linkRefused(this.path);
      throw unreadable(this.path, error);
    }
    try {
      return readFileSync(descriptor);
    } catch (error) {
      throw unreadable(this.path, error);
    } finally {
      closeSync(descriptor);
    }
  }

  #replace(text: string): void {
    const folder = dirname(this.path);
    // Not in a folder under version control: a crash may leave the file behind.
    const runFolder = join(folder, 'run');
    mkdirSync(runFolder, { recursive: true, mode: 0o700 });
    if (lstatSync(runFolder).isSymbolicLink()) throw linkRefused(runFolder);
    const temporary = join(runFolder, 'vault.new');
    rmSync(temporary, { force: true });
    writePrivateFile(temporary, text);
    const old = this.exists ? openSync(this.path, constants.O_RDWR | constants.O_NOFOLLOW) : undefined;
    try {
      renameSync(temporary, this.path);
      syncFolder(folder);
      if (old !== undefined) overwrite(old);
    } finally {
      if (old !== undefined) closeSync(old);
    }
  }
}

/** Writes and syncs a new private file. */
export function writePrivateFile(path: string, text: string): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    // The umask may narrow the mode; this makes it exact.
    fchmodSync(descriptor, 0o600);
    writeFileSync(descriptor, text);
    fsyncSync(descriptor);
  } catch (error) {
    rmSync(path, { force: true });
    throw error;
  } finally {
    closeSync(descriptor);
  }
}

export function syncFolder(folder: string): void {
  const descriptor = openSync(folder, 'r');
  try {
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
}

/** Overwrites the bytes of an unlinked file, as far as the disk allows. */
export function overwrite(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  writeSync(descriptor, Buffer.alloc(size), 0, size, 0);
  fsyncSync(descriptor);
}

function linkRefused(path: string): OkaError {
  return new OkaError(
    'config.link_refused',
    `${path} is a symbolic link, which Oka does not follow here. Replace it with its target, or remove it.`,
    { data: { path } },
  );
}

function unreadable(path: string, cause: unknown): OkaError<VaultErrorCode> {
  return new OkaError(
    'vault.unreadable',
    `Cannot read ${path} (${(cause as NodeJS.ErrnoException).code}). Check that it is a readable file.`,
    { data: { file: path }, cause },
  );
}
