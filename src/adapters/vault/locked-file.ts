import {
  closeSync,
  constants,
  existsSync,
  fstatSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { linkRefused, makePrivateFolder, syncPath, writeNewFile } from '../../disk/index.ts';
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
    makePrivateFolder(runFolder);
    const temporary = join(runFolder, 'vault.new');
    rmSync(temporary, { force: true });
    writeNewFile(temporary, text);
    const old = this.exists ? openSync(this.path, constants.O_RDWR | constants.O_NOFOLLOW) : undefined;
    try {
      renameSync(temporary, this.path);
      syncPath(folder);
      if (old !== undefined) overwrite(old);
    } finally {
      if (old !== undefined) closeSync(old);
    }
  }
}

/** Overwrites the bytes of an unlinked file, as far as the disk allows. */
export function overwrite(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  writeSync(descriptor, Buffer.alloc(size), 0, size, 0);
  fsyncSync(descriptor);
}

function unreadable(path: string, cause: unknown): OkaError<VaultErrorCode> {
  return new OkaError(
    'vault.unreadable',
    `Cannot read ${path} (${(cause as NodeJS.ErrnoException).code}). Check that it is a readable file.`,
    { data: { file: path }, cause },
  );
}
