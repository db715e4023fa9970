import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { isSystemError } from './file-error.ts';
import { HeldFolder, type WorkspaceRoot } from './held-folder.ts';
import { refuseProtected } from './workspace-path.ts';

/** The deepest folder on the way to `inside` that exists, held open, and the names below it that are missing. */
export async function openExisting(
  root: WorkspaceRoot,
  inside: string,
): Promise<{ readonly folder: HeldFolder; readonly missing: readonly string[] }> {
  const missing: string[] = [];
  for (let path = inside; ; path = dirname(path)) {
    try {
      return { folder: await HeldFolder.open(root, path), missing };
    } catch (error) {
      if (!isSystemError(error, 'ENOENT') || path === '.') throw error;
      missing.unshift(path.slice(path.lastIndexOf('/') + 1));
    }
  }
}

/** Makes the folders on the way to `inside` that are missing, one by one, each inside a folder that is held. */
export async function makeFolders(root: WorkspaceRoot, inside: string): Promise<void> {
  let { folder, missing } = await openExisting(root, inside);
  try {
    refuseProtected(folder.pathOf(missing.join('/')), 'write');
    for (const name of missing) {
      await mkdir(folder.at(name)).catch((error: unknown) => {
        if (!isSystemError(error, 'EEXIST')) throw error;
      });
      await folder.sync();
      const next = await HeldFolder.open(root, folder.pathOf(name));
      await folder.close();
      folder = next;
    }
  } finally {
    await folder.close();
  }
}
