import { expect, test } from 'vitest';
import { FailingDisk } from '../support/failing-disk.ts';
import { COMMANDS, FailingWorkspace } from './failing-disk-walk.ts';
import { Workspace } from './oka-process.ts';

test.for([
  { command: 'reading', errno: 'EIO', from: 1 },
  { command: 'reading', errno: 'EMFILE', from: 4 },
  { command: 'writing', errno: 'EIO', from: 30 },
  { command: 'writing', errno: 'ENOSPC', from: 45 },
  { command: 'writing', errno: 'EIO', from: 85 },
] as const)(
  'a $command command on a disk whose call $from fails with $errno reports it and loses nothing',
  async ({ command, errno, from }, { skip }) => {
    const disk = FailingDisk.build();
    if (typeof disk === 'string') return skip(disk);
    const seed = Workspace.trusted();
    // In a process of its own: this one would remove the log of the database at some later moment.
    await seed.start('memory', 'fact', 'add', 'the garden has three beds').ended;
    const workspace = new FailingWorkspace(seed, disk);
    const { exitCode } = await workspace.attempt(COMMANDS[command] ?? [], { errno, from });
    expect([0, 1]).toContain(exitCode);
  },
);
