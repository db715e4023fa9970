import { expect, test } from 'vitest';
import { FailingDisk } from '../support/failing-disk.ts';
import { RUN_SEED } from '../support/run-seed.ts';
import { COMMANDS, FailingWorkspace } from './failing-disk-walk.ts';
import { Workspace } from './oka-process.ts';

/** How many of a command's calls fail, spread over all of them; others on another day. */
const PLACES = 8;

/** One of each kind that is told apart: a broken disk, a full one, too many files, a read-only one. */
const ERRNOS = ['EIO', 'ENOSPC', 'EMFILE', 'EROFS'] as const;

test.for(ERRNOS.flatMap((errno) => Object.keys(COMMANDS).map((command) => [errno, command] as const)))(
  'when any call fails with %s, once or from then on, a %s command reports it and loses nothing',
  async ([errno, command], { skip }) => {
    const disk = FailingDisk.build();
    if (typeof disk === 'string') return skip(disk);
    const seed = Workspace.trusted();
    await seed.start('memory', 'fact', 'add', 'the garden has three beds').ended;
    const workspace = new FailingWorkspace(seed, disk);
    const args = COMMANDS[command] ?? [];
    const calls = await workspace.countCalls(args);
    expect(calls).toBeGreaterThan(10);
    const stride = Math.max(1, Math.floor(calls / PLACES));
    for (let from = 1 + (RUN_SEED % stride); from <= calls; from += stride) {
      await workspace.attempt(args, { errno, from });
      await workspace.attempt(args, { errno, from, times: 1 });
    }
  },
);
