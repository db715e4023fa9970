// Disks that are full or may not be written, without harm to the machine: mounts in a namespace of the test's own.

import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { Watched } from './oka-process.ts';

export interface Mounted {
  /** What to put in front of a command to have it see the mount. */
  readonly through: readonly string[];
  /** Where this process sees the folder as commands in the namespace do. */
  readonly seenAt: string;
}

/** Mounts over `folder` by a shell script that gets it as `$0`; answers with why not where that is not possible. */
async function mountOver(folder: string, script: string): Promise<Mounted | string> {
  const shell = new Watched(
    ['unshare', '--mount', '--map-root-user', 'sh', '-c', `${script} && echo mounted && cat`, folder],
    {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
    },
  );
  try {
    await shell.said('mounted', 'stdout');
  } catch (error) {
    return `this machine lets nobody mount in a namespace of their own: ${(error as Error).message}`;
  }
  const pid = String(shell.child.pid);
  return {
    through: ['nsenter', '--target', pid, '--user', '--mount', '--preserve-credentials'],
    seenAt: join('/proc', pid, 'root', folder),
  };
}

/** A disk of this size. */
export function mountSmallDisk(folder: string, kilobytes: number): Promise<Mounted | string> {
  return mountOver(folder, `mount -t tmpfs -o size=${kilobytes}k oka "$0"`);
}

/** The folder as it is, but nothing in it may be written. */
export function mountReadOnly(folder: string): Promise<Mounted | string> {
  return mountOver(folder, 'mount --bind "$0" "$0" && mount -o remount,bind,ro "$0"');
}

/** What to put in front of a command so that permissions bind it, even where the tests run as root; or why not. */
export function withoutPrivileges(): readonly string[] | string {
  if (process.getuid?.() !== 0) return [];
  const through = ['setpriv', '--inh-caps=-all', '--bounding-set=-all'];
  const works = spawnSync(through[0] as string, [...through.slice(1), 'true']).status === 0;
  return works ? through : 'root may read everything, and setpriv is not there to take that away';
}
