import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from './file-error.ts';
import { PinnedFolder, type WorkspaceRoot } from './pinned-folder.ts';
import { rejectProtected } from './workspace-path.ts';

/** Opens the deepest existing folder on the path to `inside`, and returns the missing names below it. */
export async function openExisting(
  root: WorkspaceRoot,
  inside: string,
): Promise<{ readonly folder: PinnedFolder; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let path = inside; ; path = dirname(path)) {
    try {
      return { folder: await PinnedFolder.open(root, path), missing };
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || path === '.') throw error;
      missing.unshift(path.slice(path.lastIndexOf('/') + 1));
    }
  }
}

/** Creates the missing folders on the path to `inside`, each inside a folder that is held open. */
export async function makeFolders(root: WorkspaceRoot, inside: string): Promise<void> {
  let { folder, missing } = await openExisting(root, inside);
  try {
    rejectProtected(folder.pathOf(missing.join('/')), 'write');
    for (const name of missing) {
      await mkdir(folder.at(name)).catch((error: unknown) => {
        if (!isSystemError(error, 'EEXIST')) throw error;
      });
      await folder.sync();
      const next = await PinnedFolder.open(root, folder.pathOf(name));
      await folder.close();
      folder = next;
    }
  } finally {
    await folder.close();
  }
}
