import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { BRIEF, toRefusal, Workspace } from '../cli/oka-process.ts';
import { mountSmallDisk } from '../cli/own-mounts.ts';
import { tempFolder } from '../support/temp-folder.ts';

test.for([16, 100])(
  'a disk of %d kB that is too small for a backup or a restore is reported, and no file stays on it',
  async (kilobytes, { skip }) => {
    const folder = tempFolder();
    const disk = await mountSmallDisk(folder, kilobytes);
    if (typeof disk === 'string') return skip(disk);
    const workspace = new Workspace({ through: disk.through });
    expect((await workspace.oka('init', '--trust')).exitCode).toBe(0);
    expect((await workspace.oka('do', BRIEF)).exitCode).toBe(0);
    const full = toRefusal(await workspace.oka('backup', 'create', join(folder, 'b.tar.gz'), '--json'));
    expect(full).toMatchObject({ exitCode: 1, error: { code: 'backup.disk_full' } });
    expect(full.error.message).toContain('b.tar.gz');
    expect(readdirSync(disk.seenAt)).toEqual([]);

    const file = join(tempFolder(), 'b.tar.gz');
    expect((await workspace.oka('backup', 'create', file)).exitCode).toBe(0);
    const restore = ['backup', 'restore', file, '--to', join(folder, 'new'), '--json'];
    const refused = toRefusal(await workspace.oka(...restore));
    expect(refused).toMatchObject({ exitCode: 1, error: { code: 'backup.disk_full' } });
    expect(readdirSync(disk.seenAt)).toEqual([]);
    await workspace.oka('ledger', 'verify');
  },
);
