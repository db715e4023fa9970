import {
  constants,
  type FileHandle,
  mkdir,
  open,
  readdir,
  readFile,
  rename,
  stat,
  unlink,
  utimes,
} from 'node:fs/promises';
import { dirname, join, sep } from 'node:path';
import type { ArtifactRef, ArtifactStore, EngineErrorCode } from '../../engine/index.ts';
import { type Clock, type Digest, digestOf, isDigest, OkaError, systemRandom } from '../../kernel/index.ts';
import { isSystemError, toFileError } from './file-error.ts';

/** Stores artifacts as files named after their digests: `ab/cdef…`. */
export class FileArtifactStore implements ArtifactStore {
  readonly #directory: string;
  readonly #clock: Clock;

  constructor(directory: string, clock: Clock) {
    this.#directory = directory;
    this.#clock = clock;
  }

  async put(content: string | Uint8Array, about: Parameters<ArtifactStore['put']>[1]): Promise<ArtifactRef> {
    const bytes = typeof content === 'string' ? new TextEncoder().encode(content) : content;
    const digest = digestOf(bytes);
    if (!(await this.#has(digest, bytes))) await onDisk(digest, this.#store(digest, bytes));
    return {
      digest,
      bytes: bytes.length,
      mediaType: about.mediaType,
      ...(about.name === undefined ? {} : { name: about.name }),
    };
  }

  async touch(digest: Digest): Promise<boolean> {
    const now = this.#clock.now() / 1_000;
    const touched = await onDisk(
      digest,
      utimes(this.#path(digest), now, now).then(() => true),
    );
    return touched ?? false;
  }

  async get(digest: Digest): Promise<Uint8Array | undefined> {
    if (!isDigest(digest)) return undefined;
    const bytes = await onDisk(digest, readFile(this.#path(digest)));
    if (bytes === undefined || digestOf(bytes) === digest) return bytes;
    throw new OkaError<EngineErrorCode>(
      'engine.artifact_damaged',
      `The artifact ${digest} is damaged. Restore it from a backup or delete it.`,
      { data: { digest } },
    );
  }

  async list(): ReturnType<ArtifactStore['list']> {
    const found: { digest: Digest; bytes: number; storedAt: number }[] = [];
    for (const path of (await onDisk('', readdir(this.#directory, { recursive: true }))) ?? []) {
      const digest = path.replace(sep, '');
      if (!isDigest(digest)) continue;
      const file = await onDisk(digest, stat(this.#path(digest)));
      if (file) found.push({ digest, bytes: file.size, storedAt: Math.round(file.mtimeMs) });
    }
    return found.sort((a, b) => (a.digest < b.digest ? -1 : 1));
  }

  async delete(digest: Digest): Promise<void> {
    if (isDigest(digest)) await onDisk(digest, unlink(this.#path(digest)));
  }

  #path(digest: Digest): string {
    return join(this.#directory, digest.slice(0, 2), digest.slice(2));
  }

  /** Whether the file exists with these bytes; a damaged file is replaced. */
  async #has(digest: Digest, bytes: Uint8Array): Promise<boolean> {
    const stored = await onDisk(digest, stat(this.#path(digest)));
    if (stored?.size !== bytes.length) return false;
    const found = await onDisk(digest, readFile(this.#path(digest)));
    return found?.equals(bytes) === true;
  }

  async #store(digest: Digest, bytes: Uint8Array): Promise<void> {
    const path = this.#path(digest);
    const folder = dirname(path);
    const made = await mkdir(folder, { recursive: true, mode: 0o700 });
    const temporary = join(folder, `.${systemRandom.hex(8)}.tmp`);
    const handle = await open(temporary, constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL, 0o600);
    try {
      await this.#fill(handle, bytes);
      await rename(temporary, path);
    } catch (error) {
      await unlink(temporary).catch(() => undefined);
      throw error;
    }
    const highest = made === undefined ? folder : dirname(made);
    for (let at = folder; at.length >= highest.length; at = dirname(at)) await syncFolder(at);
  }

  async #fill(handle: FileHandle, bytes: Uint8Array): Promise<void> {
    try {
      const now = this.#clock.now() / 1_000;
      await handle.writeFile(bytes);
      await handle.utimes(now, now);
      await handle.sync();
    } finally {
      await handle.close();
    }
  }
}

async function syncFolder(path: string): Promise<void> {
  const handle = await open(path, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Maps system errors of an artifact; undefined if it does not exist. */
async function onDisk<T>(artifact: string, work: Promise<T>): Promise<T | undefined> {
  try {
    return await work;
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw toFileError(error, `objects/${artifact}`);
  }
}
