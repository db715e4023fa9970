import type { Stats } from 'node:fs';
import { constants, link, lstat, realpath, rename, unlink } from 'node:fs/promises';
import { systemRandom } from '../../kernel/index.ts';
import { fileError, isSystemError, printable, taken } from './file-error.ts';
import type { HeldFolder } from './held-folder.ts';
import { isWithin, outside, temporaryName } from './workspace-path.ts';

/** Larger files are not taken into memory. */
const LARGEST_BYTES = 64 * 1024 * 1024;

/** The bits of a mode that say who may do what. */
export const PERMISSIONS = 0o777;

/** A file's place: its folder, held open, its name there, and its path in the workspace. */
export interface Place {
  readonly folder: HeldFolder;
  readonly name: string;
  readonly path: string;
}

/** The regular file at a place; undefined when nothing stands there. Anything else is refused. */
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
  await findFile(place, root);
  const handle = await place.folder.openFile(place.name, constants.O_RDONLY);
  try {
    const before = await handle.stat({ bigint: true });
    if (!before.isFile()) throw notAFile(place.path, 'not a regular file');
    if (before.size > LARGEST_BYTES) throw tooLarge(place.path, before.size);
    const content = await handle.readFile();
    const after = await handle.stat({ bigint: true });
    if (BigInt(content.length) !== after.size || before.mtimeNs !== after.mtimeNs) throw changed(place.path);
    return { content, mode: Number(before.mode) & PERMISSIONS };
  } finally {
    await handle.close();
  }
}

/** Puts content in its place at once: whoever looks sees the old file or the new one, also after a crash. */
export async function replaceFile(
  { folder, name }: Place,
  content: Uint8Array,
  mode: number | undefined,
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

/** Gives a file its new name, unless something has that name already, and takes the old one away. */
export async function moveFile(from: Place, to: Place): Promise<void> {
  const [source, target] = [from.folder.at(from.name), to.folder.at(to.name)];
  await from.folder.confirm();
  await to.folder.confirm();
  try {
    // A second name for the same file fails where a name is taken; renaming would replace what has it.
    await link(source, target);
    await to.folder.sync();
    await unlink(source);
  } catch (error) {
    if (isSystemError(error, 'EEXIST')) throw taken(to.path);
    if (!isSystemError(error, 'EPERM', 'ENOTSUP', 'EOPNOTSUPP', 'ENOSYS', 'EMLINK')) throw error;
    await renameUnlessTaken(source, target, to.path);
    await to.folder.sync();
  }
  await from.folder.sync();
}

/** For file systems where a file has one name only. */
async function renameUnlessTaken(source: string, target: string, path: string): Promise<void> {
  const found = await lstat(target).catch((error: unknown) => {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  });
  if (found) throw taken(path);
  await rename(source, target);
}

async function refuseLink(place: Place, root: string): Promise<Error> {
  const target = await realpath(place.folder.at(place.name)).catch(() => undefined);
  if (target === undefined || !isWithin(root, target)) return outside(place.path);
  return notAFile(place.path, 'a link, and links are not followed');
}

function notAFile(path: string, what: string): Error {
  return fileError('files.not_a_file', path, `${printable(path)} is ${what}; name a regular file.`);
}

function tooLarge(path: string, bytes: bigint): Error {
  return fileError(
    'files.too_large',
    path,
    `${printable(path)} has ${bytes} bytes, more than the ${LARGEST_BYTES} that tools take; split it first.`,
  );
}

function changed(path: string): Error {
  return fileError(
    'files.changed',
    path,
    `${printable(path)} was changed while it was being read; try again.`,
    { transient: true },
  );
}
