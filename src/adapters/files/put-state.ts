import type { Stats } from 'node:fs';
import {
  constants,
  copyFile,
  cp,
  lstat,
  mkdir,
  readlink,
  rename,
  rmdir,
  symlink,
  unlink,
} from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { syncTree } from '../../disk/index.ts';
import { systemRandom } from '../../kernel/index.ts';
import type { NewState, PathState } from '../../tools/index.ts';
import { isSystemError } from './file-error.ts';
import { digestWhole, PERMISSIONS, type Place, replaceFile } from './place-file.ts';
import { temporaryName } from './workspace-path.ts';

/** What is at a place, without following a link; undefined if nothing. */
export async function stateAt(place: Place, root: string): Promise<PathState | undefined> {
  const found = await entryAt(place);
  if (found === undefined) return undefined;
  if (found.isSymbolicLink()) return { kind: 'link', target: await readlink(place.folder.at(place.name)) };
  const mode = found.mode & PERMISSIONS;
  if (found.isDirectory()) return { kind: 'folder', mode };
  if (!found.isFile()) return { kind: 'special' };
  const modifiedAt = Math.floor(found.mtimeMs);
  return { kind: 'file', digest: await digestWhole(place, root), bytes: found.size, mode, modifiedAt };
}

/** Replaces what is at a place; undefined removes it. */
export async function putState(place: Place, state: NewState | undefined): Promise<void> {
  const { folder, name } = place;
  const found = await entryAt(place);
  const isInTheWay = found !== undefined && found.isDirectory() !== (state?.kind === 'folder');
  if (found !== undefined && (state === undefined || isInTheWay))
    await (found.isDirectory() ? rmdir : unlink)(folder.at(name));
  switch (state?.kind) {
    case 'folder':
      await putFolder(place, state, found?.isDirectory() === true);
      break;
    case 'link': {
      const temporary = temporaryName(systemRandom.hex(8));
      await symlink(state.target, folder.at(temporary));
      await rename(folder.at(temporary), folder.at(name));
      break;
    }
    case 'file':
      if (state.content instanceof Uint8Array)
        return replaceFile(place, state.content, { modifiedAt: undefined, ...state });
      await copyInto(place, state.content.file, state.mode);
  }
  await folder.sync();
}

async function putFolder(
  { folder, name }: Place,
  { mode, from }: Extract<NewState, { kind: 'folder' }>,
  exists: boolean,
): Promise<void> {
  if (from !== undefined && !exists) {
    syncTree(from);
    await moveTree(from, folder.at(name));
  } else if (!exists) await mkdir(folder.at(name));
  const handle = await folder.openFile(name, constants.O_RDONLY | constants.O_DIRECTORY);
  try {
    await handle.chmod(((await handle.stat()).mode & ~PERMISSIONS & 0o7777) | mode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** A folder on another file system is copied. */
async function moveTree(from: string, to: string): Promise<void> {
  try {
    await rename(from, to);
  } catch (error) {
    if (!isSystemError(error, 'EXDEV')) throw error;
    const temporary = join(dirname(to), temporaryName(systemRandom.hex(8)));
    await cp(from, temporary, { recursive: true, preserveTimestamps: true, verbatimSymlinks: true });
    syncTree(temporary);
    await rename(temporary, to);
  }
}

/** Readers see the old or the new file, even after a crash. */
async function copyInto({ folder, name }: Place, source: string, mode: number): Promise<void> {
  const temporary = temporaryName(systemRandom.hex(8));
  try {
    await copyFile(source, folder.at(temporary), constants.COPYFILE_EXCL | constants.COPYFILE_FICLONE);
    const handle = await folder.openFile(temporary, constants.O_RDONLY);
    try {
      // git and build tools tell by the times of files which of them changed.
      const { atime, mtime } = await lstat(source);
      await handle.utimes(atime, mtime);
      await handle.chmod(mode);
      await handle.sync();
    } finally {
      await handle.close();
    }
    await rename(folder.at(temporary), folder.at(name));
  } catch (error) {
    await unlink(folder.at(temporary)).catch(() => undefined);
    throw error;
  }
}

async function entryAt({ folder, name }: Place): Promise<Stats | undefined> {
  try {
    return await lstat(folder.at(name));
  } catch (error) {
    if (isSystemError(error, 'ENOENT')) return undefined;
    throw error;
  }
}
