import { execFileSync } from 'node:child_process';
import { join } from 'node:path';
import { Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

/** Unpacks a stored workspace and the user folder that belongs to it. */
export function unpack(archive: string): Workspace {
  const folder = tempFolder();
  execFileSync('tar', ['-xzf', join(import.meta.dirname, archive), '-C', folder]);
  return new Workspace({ root: join(folder, 'workspace'), home: join(folder, 'home'), files: {} });
}
