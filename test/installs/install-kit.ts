import { spawnSync } from 'node:child_process';
import { mkdirSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { WorkspaceInstaller } from '../../src/adapters/installs/index.ts';
import { openInstallRecord } from '../../src/adapters/workspace/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import type { Leases } from '../../src/ledger/index.ts';
import type { InstallRecord } from '../../src/tools/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

export const NEVER = new AbortController().signal;

/** Leases that only one process knows of. */
export function freeLeases(): Leases {
  return { acquire: async () => true, release: async () => undefined, holder: async () => undefined };
}

/** A workspace of the test's own, and an installer that works in it. */
export function installKit(options: Partial<ConstructorParameters<typeof WorkspaceInstaller>[0]> = {}) {
  const root = tempFolder();
  const [workspace, home] = [join(root, 'work'), join(root, 'home')];
  mkdirSync(workspace);
  mkdirSync(home);
  const record = recordOf(workspace, home);
  const installer = new WorkspaceInstaller({
    workspace,
    record,
    environment: { PATH: process.env['PATH'], HOME: home },
    leases: freeLeases(),
    owner: 'test',
    clock: systemClock,
    ...options,
  });
  return { root, workspace, record, installer, tools: join(workspace, '.oka', 'tools') };
}

/** The record of installs in the folder `home` of a user. */
export function recordOf(workspace: string, home: string): InstallRecord {
  const { ino: inode, dev: device } = statSync(workspace);
  return openInstallRecord(home, { id: '0'.repeat(32), path: workspace, device, inode });
}

/** Why tests of Python packages cannot run on this machine, if they cannot. */
export const withoutPip: string | undefined = findPip() ? undefined : 'there is no python3 with pip';

function findPip(): boolean {
  const folders = (process.env['PATH'] ?? '').split(delimiter);
  return folders.some((folder) => {
    const { status } = spawnSync(join(folder, 'python3'), ['-I', '-m', 'pip', '--version']);
    return status === 0;
  });
}
