import { existsSync, lstatSync, readdirSync, renameSync, rmdirSync } from 'node:fs';
import { mkdir, realpath, rename, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve, sep } from 'node:path';
import { syncPath, syncTree } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { type BackupErrorCode, toBackupError } from './backup-error.ts';
import { DATABASE, MIRROR } from './manifest.ts';

/** The real path of a backup to write. Rejects an existing file and a path inside the backed up folder. */
export async function checkTarget(file: string, directory: string, force: boolean): Promise<string> {
  const folder = dirname(file);
  const real = await realpath(folder).catch(() => undefined);
  if (real === undefined || !(await stat(real)).isDirectory())
    throw refusal('backup.not_found', `No folder ${folder}. Create it, or choose another place.`, { folder });
  const own = await realpath(directory);
  if (real === own || real.startsWith(own + sep))
    throw refusal(
      'backup.inside_workspace',
      `${file} is inside ${directory}, which the backup is of. Choose a file elsewhere, best on another disk.`,
      { file },
    );
  const target = join(real, basename(file));
  const there = lstatSync(target, { throwIfNoEntry: false });
  if (there === undefined || (force && there.isFile())) return target;
  const next = there.isFile() ? 'Choose another name, or replace it with --force.' : 'Choose another name.';
  throw refusal('backup.exists', `${file} exists already. ${next}`, { file });
}

/** Moves a finished archive to its final path. */
export async function publishArchive(archive: string, target: string, force: boolean): Promise<void> {
  // Another process may have written the file since; a rename would replace it.
  if (!force && existsSync(target))
    throw refusal('backup.exists', `${target} exists already. Choose another name.`, { file: target });
  await rename(archive, target);
  syncPath(dirname(target));
}

/** Creates the folder that a workspace is restored into. Returns its real path, and a function that removes created folders. */
export async function reachFolder(
  folder: string,
): Promise<{ readonly folder: string; readonly removeMade: () => void }> {
  try {
    const made = await mkdir(folder, { recursive: true });
    return { folder: await realpath(folder), removeMade: () => made && removeEmpty(resolve(folder), made) };
  } catch (error) {
    if (!['EEXIST', 'ENOTDIR'].includes((error as NodeJS.ErrnoException).code ?? ''))
      throw toBackupError(error, folder);
    throw new OkaError('config.no_folder', `${folder} is not a folder. Choose another with --to.`, {
      data: { folder },
    });
  }
}

/** Removes a folder and those above it up to `highest`, as far as they are empty. */
function removeEmpty(folder: string, highest: string): void {
  for (let at = folder; at.length >= highest.length; at = dirname(at)) {
    try {
      rmdirSync(at);
    } catch {
      // It contains files of others.
      return;
    }
  }
}

/** True when a folder of a workspace holds a ledger. */
export function hasLedger(directory: string): boolean {
  return [DATABASE, MIRROR].some((name) => existsSync(join(directory, name)));
}

/** The names of the background processes with a record in a workspace. */
export function recordedProcesses(directory: string): readonly string[] {
  const run = join(directory, 'run');
  if (!existsSync(run)) return [];
  return readdirSync(run)
    .filter((name) => name.endsWith('.json'))
    .map((name) => name.slice(0, -'.json'.length));
}

/**
 * Installs a staged `.oka` atomically. An existing one is first moved into it, out of reach of new processes, and its new
 * path is returned. If `lastCheck` then throws, the existing one is moved back.
 */
export function placeWorkspace(options: {
  readonly staged: string;
  readonly folder: string;
  readonly now: number;
  readonly lastCheck: (replaced: string | undefined) => void;
}): string | undefined {
  const { staged, folder, now, lastCheck } = options;
  const own = join(folder, '.oka');
  syncTree(staged);
  if (!existsSync(own)) {
    lastCheck(undefined);
    renameSync(staged, own);
    syncPath(folder);
    return undefined;
  }
  const name = `replaced-${new Date(now).toISOString().replaceAll(/[:.]/g, '-')}`;
  const aside = join(staged, name);
  renameSync(own, aside);
  try {
    lastCheck(aside);
    renameSync(staged, own);
  } catch (error) {
    renameSync(aside, own);
    throw error;
  }
  syncPath(folder);
  return join(own, name);
}

function refusal(
  code: BackupErrorCode,
  message: string,
  data: Readonly<Record<string, unknown>>,
): OkaError<BackupErrorCode> {
  return new OkaError(code, message, { data });
}
