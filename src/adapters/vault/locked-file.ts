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

/** Does the work while no other process does such work, and answers when it is done. The work must not wait. */
export type Exclusively = <T>(work: () => T) => T;

/** A file that several processes change, whole and one after another; what it held before is overwritten. */
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
   * What `parse` makes of the file; undefined when there is none. It may throw when something looks damaged: the file
   * may have been replaced and overwritten while it was read. It is then asked again for certain.
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

  /**
   * Replaces the file by what `change` makes of it, durably, or leaves it when that is undefined. After a crash either
   * the old or the new file is there.
   */
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
    // Beside nothing that people keep in version control: a crash may leave it behind.
    const passing = join(folder, 'run');
    mkdirSync(passing, { recursive: true, mode: 0o700 });
    if (lstatSync(passing).isSymbolicLink()) throw linkRefused(passing);
    const temporary = join(passing, 'vault.new');
    rmSync(temporary, { force: true });
    writeWhole(temporary, text);
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

/** Writes a new file that only its owner can read, and brings it to disk. */
export function writeWhole(path: string, text: string): void {
  const descriptor = openSync(path, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
  try {
    // The mode above is narrowed by the process's mask, never by more than we want; this makes it exact.
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

/** The file has no name any more; its bytes go too, as far as the disk lets them be overwritten. */
export function overwrite(descriptor: number): void {
  const { size } = fstatSync(descriptor);
  writeSync(descriptor, Buffer.alloc(size), 0, size, 0);
  fsyncSync(descriptor);
}

function linkRefused(path: string): OkaError {
  return new OkaError(
    'config.link_refused',
    `${path} is a link, and Oka follows none here; replace it by what it leads to, or remove it.`,
    { data: { path } },
  );
}

function unreadable(path: string, cause: unknown): OkaError<VaultErrorCode> {
  return new OkaError(
    'vault.unreadable',
    `${path} cannot be read (${(cause as NodeJS.ErrnoException).code}); check that it is a file and may be read.`,
    { data: { file: path }, cause },
  );
}
