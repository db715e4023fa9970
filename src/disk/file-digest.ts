// Owns: digests of files. I1 A digest is that of the bytes of one open file, which did not change while they were read.
import type { BigIntStats } from 'node:fs';
import { closeSync, constants, fstatSync, openSync, readSync, statSync } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { type Digest, digestOf, OkaError, startDigest, systemClock } from '../kernel/index.ts';

/** Smaller files are read each time, because a change within one tick of the file system's clock leaves no trace. */
const MIN_CACHED_BYTES = 1_048_576n;
/** A file that changed this recently may change again within the same tick. */
const SETTLED_MS = 2_000;
const MAX_CACHED = 1_000;
const CHUNK_BYTES = 1_048_576;
/** Opening a pipe does not wait for a writer. */
const READ = constants.O_RDONLY | constants.O_NONBLOCK;

const known = new Map<string, { readonly mark: string; readonly digest: Digest }>();

/** The SHA-256 of a file, links followed; undefined unless it is a regular file. Large files are read once per change. */
export async function digestOfFile(path: string): Promise<Digest | undefined> {
  // Loaded lazily: commands that only look load this file and read nothing with it.
  const { open } = await import('node:fs/promises');
  let file: FileHandle;
  try {
    file = await open(path, READ);
  } catch (error) {
    return digestWithoutReading(path, error);
  }
  try {
    const stats = await file.stat({ bigint: true });
    if (!stats.isFile()) return undefined;
    const cached = cachedDigest(path, stats);
    if (cached !== undefined) return cached;
    const digest = startDigest();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Number(stats.size) + 1));
    for (;;) {
      const { bytesRead } = await file.read(chunk);
      if (bytesRead === 0) break;
      digest.update(chunk.subarray(0, bytesRead));
    }
    return keep(path, stats, await file.stat({ bigint: true }), digest.end());
  } finally {
    await file.close();
  }
}

/** The same without waiting, for files that are usually small. */
export function digestOfFileNow(path: string): Digest | undefined {
  let file: number;
  try {
    file = openSync(path, READ);
  } catch (error) {
    return digestWithoutReading(path, error);
  }
  try {
    const stats = fstatSync(file, { bigint: true });
    if (!stats.isFile()) return undefined;
    const cached = cachedDigest(path, stats);
    if (cached !== undefined) return cached;
    const digest = startDigest();
    const chunk = Buffer.allocUnsafe(Math.min(CHUNK_BYTES, Number(stats.size) + 1));
    for (let read = readSync(file, chunk); read > 0; read = readSync(file, chunk))
      digest.update(chunk.subarray(0, read));
    return keep(path, stats, fstatSync(file, { bigint: true }), digest.end());
  } finally {
    closeSync(file);
  }
}

/** A program that may be run but not read is identified by what the system changes with its content. */
function digestWithoutReading(path: string, error: unknown): Digest | undefined {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR' || code === 'ELOOP') return undefined;
  const stats = statSync(path, { bigint: true, throwIfNoEntry: false });
  return stats?.isFile() ? digestOf(`unreadable ${markOf(stats)}`) : undefined;
}

function cachedDigest(path: string, stats: BigIntStats): Digest | undefined {
  const found = known.get(path);
  return found?.mark === markOf(stats) ? found.digest : undefined;
}

function keep(path: string, before: BigIntStats, after: BigIntStats, digest: Digest): Digest {
  if (markOf(before) !== markOf(after))
    throw new OkaError('engine.binding_changed', `${path} changed while Oka read it. Try again.`, {
      data: { path },
      transient: true,
    });
  const isSettled = Number(after.ctimeMs) < systemClock.now() - SETTLED_MS;
  known.delete(path);
  if (isSettled && after.size >= MIN_CACHED_BYTES) {
    if (known.size >= MAX_CACHED) known.delete(known.keys().next().value as string);
    known.set(path, { mark: markOf(after), digest });
  }
  return digest;
}

/** What the system changes when the content changes. */
function markOf({ dev, ino, size, mtimeNs, ctimeNs }: BigIntStats): string {
  return [dev, ino, size, mtimeNs, ctimeNs].join(':');
}
