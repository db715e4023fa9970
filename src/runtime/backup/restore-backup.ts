import { join } from 'node:path';
import {
  type BackupErrorCode,
  type BackupManifest,
  discardStaged,
  hasLedger,
  placeWorkspace,
  reachFolder,
  recordedProcesses,
  recoverRestores,
  stageRestore,
  toBackupError,
} from '../../adapters/backup/index.ts';
import { ProcessRecord } from '../../adapters/processes/index.ts';
import { freeClosedConnections, isOpenElsewhere } from '../../adapters/sqlite/index.ts';
import { SignedHeads, WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { BackupApi, BackupRestoreAnswer, Fault } from '../../api/index.ts';
import type { Owners } from '../../engine/index.ts';
import { OkaError } from '../../kernel/index.ts';
import { contentsOf } from './backup-contents.ts';
import { type ExtractedBackup, extractBackup } from './verify-backup.ts';
import type { BackupParts } from './verify-copy.ts';

type RestoreRequest = Parameters<BackupApi['restore']>[0];

/** Restores a workspace completely or not at all. Keeps what it replaces; does not restore trust. */
export async function restoreBackup(
  parts: BackupParts,
  request: RestoreRequest,
): Promise<BackupRestoreAnswer> {
  const { folder, removeMade } = await reachFolder(request.to ?? parts.folder.workspace);
  try {
    return await restoreInto(folder, parts, request);
  } catch (error) {
    removeMade();
    throw toBackupError(error, folder);
  }
}

async function restoreInto(
  folder: string,
  parts: BackupParts,
  request: RestoreRequest,
): Promise<BackupRestoreAnswer> {
  const { clock, owners, user } = parts;
  const there = new WorkspaceFolder(folder);
  recoverRestores(folder, owners);
  there.refuseLinks();
  if (hasLedger(there.directory) && !request.replace) throw workspaceExists(folder);
  // Connections that this process closed earlier would count as users.
  await freeClosedConnections();
  refuseInUse(there.directory, owners);
  const staged = stageRestore(folder, owners);
  try {
    const extracted = await extractBackup(parts, request, { staged, only: 'all' });
    const { manifest, faults, warnings } = extracted;
    if (manifest === undefined || faults.length > 0) throw damaged(request.file, extracted);
    new WorkspaceFolder(staged).create();
    request.signal?.throwIfAborted();
    const kept = placeWorkspace({
      staged: join(staged, '.oka'),
      folder,
      now: clock.now(),
      lastCheck: (replaced) => {
        if (replaced !== undefined) refuseInUse(replaced, owners);
        user.revokeTrust(folder);
      },
    });
    const foreign = signRestored(there, parts, manifest, request.mine ?? false);
    return {
      workspace: folder,
      ...contentsOf(manifest),
      ...(kept === undefined ? {} : { kept }),
      warnings: [...warnings, ...foreign],
    };
  } finally {
    discardStaged(staged);
  }
}

/** Signs the restored ledger if the user made the backup. Otherwise trusting the folder treats the ledger as a stranger's. */
function signRestored(
  folder: WorkspaceFolder,
  { home, clock }: BackupParts,
  { head, signed }: BackupManifest,
  isMine: boolean,
): readonly Fault[] {
  const heads = new SignedHeads({ home, folder, clock });
  const isOwn =
    signed !== undefined && signed.seq === head.seq && signed.hash === head.hash && heads.isOwn(signed);
  if (isOwn || isMine) {
    heads.sign(head, { always: true });
    return [];
  }
  heads.forgetPath();
  return [
    {
      where: 'ledger',
      what: 'was not signed with your key on this machine. If you made this backup, restore it again with --mine; otherwise see oka trust --adopt-ledger',
    },
  ];
}

/** Refuses while a process uses the workspace: it would keep writing into the replaced files. */
function refuseInUse(directory: string, owners: Owners): void {
  const run = join(directory, 'run');
  const records = recordedProcesses(directory).map((name) => new ProcessRecord(run, name).read());
  const alive = records.find((record) => typeof record?.owner === 'string' && owners.isAlive(record.owner));
  const database = join(directory, 'oka.db');
  if (alive === undefined && !(hasLedger(directory) && isOpenElsewhere(database))) return;
  const who = alive === undefined ? 'Another process' : `Process ${alive.pid}`;
  throw new OkaError<BackupErrorCode>(
    'backup.in_use',
    `${who} works with the workspace in ${directory}, so it was not replaced. Stop it first; the daemon with: oka down.`,
    { data: { directory, ...(alive === undefined ? {} : { pid: alive.pid }) } },
  );
}

function workspaceExists(folder: string): OkaError<BackupErrorCode> {
  return new OkaError(
    'backup.workspace_exists',
    `${folder} has an Oka workspace already. Restore into another folder with --to FOLDER, or replace it with --replace, which keeps the old one.`,
    { data: { folder } },
  );
}

function damaged(file: string, { faults }: ExtractedBackup): OkaError<BackupErrorCode> {
  const [first] = faults;
  return new OkaError(
    'backup.damaged',
    `${file} is damaged, so nothing was restored: ${first?.where}: ${first?.what}. See every fault with: oka backup verify; then use another backup.`,
    { data: { file, faults } },
  );
}
