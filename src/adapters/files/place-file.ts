import type { Stats } from 'node:fs';
import { constants, type FileHandle, link, lstat, realpath, rename, unlink } from 'node:fs/promises';
import { type Digest, type EpochMs, startDigest, systemRandom } from '../../kernel/index.ts';
import { alreadyExists, fileError, isSystemError, printable } from './file-error.ts';
import type { PinnedFolder } from './pinned-folder.ts';
import { isWithin, outside, temporaryName } from './workspace-path.ts';

/** Larger files are not read into memory. */
const MAX_BYTES = 64 * 1024 * 1024;

const PIECE_BYTES = 1024 * 1024;
/** The errors of file systems without hard links. */
const NO_HARD_LINKS = ['EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK'] as const;

/** The permission bits of a mode. */
export const PERMISSIONS = 0o777;

/** A file's location: its folder, held open, its name, and its path in the workspace. */
export interface Place {
  readonly folder: PinnedFolder;
  readonly name: string;
  readonly path: string;
}

/** The regular file at a place; undefined if there is none. Rejects anything else. */
export async function findFile(place: Place, root: string): Promise<Stats | undefined> {
  let found: Stats;
  try {
    found = await lstat(place.folder.at(place.name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
  if (found.isSymbolicLink()) throw await refuseLink(place, root);
  if (!found.isFile()) throw notAFile(place.path, found.isDirectory() ? 'a folder' : 'a special file');
  return found;
}

/** The whole content of a regular file, and its permissions. */
export async function readWhole(
  place: Place,
  root: string,
): Promise<{ readonly content: Uint8Array; readonly mode: number }> {
  const handle = await openToRead(place, root);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw notAFile(place.path, 'not a regular file');
    if (before.size > MAX_BYTES) throw tooLarge(place.path, before.size);
    const content = await handle.readFile();
    const after = await handle.stat({ bigint: true });
    if (BigInt(content.length) !== after.size || before.mtimeNs !== after.mtimeNs) throw changed(place.path);
    return { content, mode: Number(before.mode) & PERMISSIONS };
  } finally {
    await handle.close();
  }
}

/** Opens a regular file. */
export async function openToRead(place: Place, root: string): Promise<FileHandle> {
  await findFile(place, root);
  return place.folder.openFile(place.name, constants.O_RDONLY);
}

/** The digest of a regular file of any size. */
export async function digestWhole(place: Place, root: string): Promise<Digest> {
  const source = await openToRead(place, root);
  try {
    return (await copyBytes(source, undefined, place.path)).digest;
  } finally {
    await source.close();
  }
}

/** Copies a file unless the new name is taken: readers see no file or the whole one, even after a crash. */
export async function copyFile(
  from: Place,
  to: Place,
  root: string,
): Promise<{ readonly bytes: number; readonly digest: Digest }> {
  await findFile(from, root);
  if (await findFile(to, root)) throw alreadyExists(to.path);
  const source = await from.folder.openFile(from.name, constants.O_RDONLY);
  const temporary = temporaryName(systemRandom.hex(8));
  try {
    const { mode, atime, mtime } = await source.stat();
    const flags = constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL;
    const target = await to.folder.openFile(temporary, flags, mode & PERMISSIONS);
    try {
      const copied = await copyBytes(source, target, from.path);
      await target.chmod(mode & PERMISSIONS);
      await target.utimes(atime, mtime);
      await target.sync();
      await placeUnlessExists(to, temporary);
      return copied;
    } finally {
      await target.close();
    }
  } catch (error) {
    await unlink(to.folder.at(temporary)).catch(() => undefined);
    throw error;
  } finally {
    await source.close();
  }
}

/** Gives a temporary file its name; fails if the name is taken. */
async function placeUnlessExists(to: Place, temporary: string): Promise<void> {
  const [source, target] = [to.folder.at(temporary), to.folder.at(to.name)];
  try {
    await link(source, target);
    await unlink(source);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) throw alreadyExists(to.path);
    if (!isSystemError(error, ...NO_HARD_LINKS)) throw error;
    await renameUnlessExists(source, target, to.path);
  }
  await to.folder.sync();
}

/** Reads a file in pieces, and writes them to `target` if there is one. */
async function copyBytes(
  source: FileHandle,
  target: FileHandle | undefined,
  path: string,
): Promise<{ readonly bytes: number; readonly digest: Digest }> {
  const running = startDigest();
  let bytes = 0;
  for await (const piece of piecesOf(source, path)) {
    running.update(piece);
    await target?.writeFile(piece);
    bytes += piece.length;
  }
  return { bytes, digest: running.end() };
}

/** The content of an open file in pieces; fails if it changes meanwhile. */
export async function* piecesOf(source: FileHandle, path: string): AsyncGenerator<Uint8Array> {
  const before = await source.stat({ bigint: true });
  if (!before.isFile()) throw notAFile(path, 'not a regular file');
  const length = before.size < PIECE_BYTES ? Number(before.size) + 1 : PIECE_BYTES;
  let bytes = 0;
  for (;;) {
    const buffer = Buffer.allocUnsafe(length);
    const { bytesRead } = await source.read(buffer, 0, length, bytes);
    if (bytesRead === 0) break;
    bytes += bytesRead;
    yield buffer.subarray(0, bytesRead);
  }
  const after = await source.stat({ bigint: true });
  if (BigInt(bytes) !== after.size || before.mtimeNs !== after.mtimeNs) throw changed(path);
}

/** Replaces a file atomically: readers see the old or the new file, even after a crash. */
export async function replaceFile(
  { folder, name }: Place,
  content: Uint8Array,
  { mode, modifiedAt }: { readonly mode: number | undefined; readonly modifiedAt?: EpochMs | undefined },
): Promise<void> {
  const temporary = temporaryName(systemRandom.hex(8));
  const handle = await folder.openFile(
    temporary,
    constants.O_WRONLY | constants.O_CREAT | constants.O_EXCL,
    mode ?? 0o666,
  );
  try {
    try {
      await handle.writeFile(content);
      if (mode !== undefined) await handle.chmod(mode);
      if (modifiedAt !== undefined) await handle.utimes(modifiedAt / 1_000, modifiedAt / 1_000);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(folder.at(temporary), folder.at(name));
  } catch (error) {
    await unlink(folder.at(temporary)).catch(() => undefined);
    throw error;
  }
  await folder.sync();
}

/** Moves a file unless the new name is taken. */
export async function moveFile(from: Place, to: Place): Promise<void> {
  const [source, target] = [from.folder.at(from.name), to.folder.at(to.name)];
  await from.folder.confirm();
  await to.folder.confirm();
  try {
    // A hard link fails if the name is taken; a rename would replace it.
    await link(source, target);
    await to.folder.sync();
    await unlink(source);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) throw alreadyExists(to.path);
    if (!isSystemError(error, ...NO_HARD_LINKS)) throw error;
    await renameUnlessExists(source, target, to.path);
    await to.folder.sync();
  }
  await from.folder.sync();
}

/** For file systems without hard links. */
async function renameUnlessExists(source: string, target: string, path: string): Promise<void> {
  const found = await lstat(target).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found) throw alreadyExists(path);
  await rename(source, target);
}

async function refuseLink(place: Place, root: string): Promise<Error> {
  const target = await realpath(place.folder.at(place.name)).catch(() => undefined);
  if (target === undefined || !isWithin(root, target)) return outside(place.path);
  return notAFile(place.path, 'a symbolic link, which is not followed');
}

function notAFile(path: string, what: string): Error {
  return fileError('files.not_a_file', path, `${printable(path)} is ${what}. Use a regular file.`);
}

function tooLarge(path: string, bytes: bigint): Error {
  return fileError(
    'files.too_large',
    path,
    `${printable(path)} has ${bytes} bytes, more than the limit of ${MAX_BYTES}. Split it first.`,
  );
}

function changed(path: string): Error {
  return fileError('files.changed', path, `${printable(path)} changed while it was read. Try again.`, {
    transient: true,
  });
}
