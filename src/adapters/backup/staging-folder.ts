// Owns: temporary folders next to the target of their content, so that the result appears by one rename.
// The name of a folder identifies the process that created it, so that the next process removes leftovers of a killed one.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { syncPath } from '../../disk/index.ts';
import type { Owners } from '../../engine/index.ts';
import { systemRandom } from '../../kernel/index.ts';
import { toBackupError } from './backup-error.ts';

const CREATE = '.oka-backup-';
const RESTORE = '.oka-restore-';
const VERIFY = '.oka-verify-';
const ARCHIVE = 'archive';
/** A replaced workspace is moved into the new one, where tools of agents cannot reach it. */
const REPLACED = /^replaced-/;

/** Makes a folder for a backup that is written into `folder`. */
export function stageBackup(folder: string, owners: Owners): string {
  for (const left of leftIn(folder, CREATE, owners)) rmSync(left, { recursive: true, force: true });
  return make(folder, CREATE, owners);
}

/** Makes a folder for a workspace that is restored into `folder`, with an empty `.oka`. */
export function stageRestore(folder: string, owners: Owners): string {
  return withOwnFolder(make(folder, RESTORE, owners));
}

/** Makes the folder of one attempt at a backup, with an empty `.oka`; removes the files of an earlier attempt. */
export function stageAttempt(staged: string): string {
  const workspace = join(staged, 'workspace');
  rmSync(workspace, { recursive: true, force: true });
  rmSync(join(staged, ARCHIVE), { force: true });
  mkdirSync(workspace, { mode: 0o700 });
  return withOwnFolder(workspace);
}

/** The archive while it is written. */
export function stagedArchive(staged: string): string {
  return join(staged, ARCHIVE);
}

/** Makes a folder for verifying an archive, with an empty `.oka`; nothing is moved out of it. */
export function stageVerification(owners: Owners): string {
  const mine = process.getuid?.();
  for (const left of leftIn(tmpdir(), VERIFY, owners))
    if (lstatSync(left).uid === mine) rmSync(left, { recursive: true, force: true });
  return withOwnFolder(make(tmpdir(), VERIFY, owners));
}

function withOwnFolder(workspace: string): string {
  mkdirSync(join(workspace, '.oka'), { mode: 0o700 });
  return workspace;
}

export function discardStaged(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}

/** Undoes restores whose process was killed: moves a workspace that was being replaced back. */
export function recoverRestores(folder: string, owners: Owners): void {
  const own = join(folder, '.oka');
  for (const left of leftIn(folder, RESTORE, owners)) {
    const staged = join(left, '.oka');
    const replaced = existsSync(staged) ? readdirSync(staged).find((name) => REPLACED.test(name)) : undefined;
    if (replaced !== undefined && !existsSync(own)) {
      renameSync(join(staged, replaced), own);
      syncPath(folder);
    }
    rmSync(left, { recursive: true, force: true });
  }
}

function make(folder: string, prefix: string, owners: Owners): string {
  const staged = join(folder, `${prefix}${encodeURIComponent(owners.self)}-${systemRandom.hex(4)}`);
  try {
    mkdirSync(staged, { mode: 0o700 });
  } catch (error) {
    throw toBackupError(error, staged);
  }
  return staged;
}

/** Folders of processes that have ended. */
function leftIn(folder: string, prefix: string, owners: Owners): readonly string[] {
  return readdirSync(folder)
    .filter((name) => name.startsWith(prefix) && !owners.isAlive(ownerIn(name, prefix)))
    .map((name) => join(folder, name));
}

function ownerIn(name: string, prefix: string): string {
  try {
    return decodeURIComponent(name.slice(prefix.length, name.lastIndexOf('-')));
  } catch {
    // Not created by Oka, so no process of that name is alive.
    return name;
  }
}
