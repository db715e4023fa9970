// Owns: the programs that the user, or a clone, put into `.oka/tools/bin`. Does not own: whether they may run.
import { realpathSync } from 'node:fs';
import { basename, relative } from 'node:path';
import { digestOfFileNow, isProgram, isRecorded } from '../../disk/index.ts';
import type { InstallRecord, OwnProgram } from '../../tools/index.ts';
import { entries } from './installed-files.ts';
import { toolPlaces } from './tool-folders.ts';

/** The programs in `bin` that Oka did not install. */
export function ownPrograms(workspace: string, { read }: Pick<InstallRecord, 'read'>): readonly OwnProgram[] {
  const { root, bin } = toolPlaces(workspace);
  const record = read();
  return entries(bin)
    .filter((path) => !isRecorded(root, relative(root, path), record))
    .flatMap((path) => ownProgram(workspace, path) ?? []);
}

/** The program at a path directly in `bin`, as it is now; undefined anywhere else. */
export function ownProgram(workspace: string, path: string): OwnProgram | undefined {
  const { bin } = toolPlaces(workspace);
  if (relative(bin, path) !== basename(path) || !isProgram(path)) return undefined;
  const target = realpathSync.native(path);
  const digest = digestOfFileNow(target);
  return digest && { name: basename(path), path: relative(realpathSync.native(workspace), target), digest };
}
