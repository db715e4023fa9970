import { expect, test } from 'vitest';
import { FailingDisk } from '../support/failing-disk.ts';
import { COMMANDS, ERRNOS, FailingWorkspace } from './failing-disk-walk.ts';
import { Workspace } from './oka-process.ts';

/** A first run of calls, all of them; then every seventh. */
const EVERY_CALL = 24;
const STRIDE = 7;

test.for(ERRNOS.flatMap((errno) => Object.keys(COMMANDS).map((command) => [errno, command] as const)))(
  'whichever call fails with %s, once or from then on, a %s command says so and loses nothing',
  async ([errno, command], { skip }) => {
    const disk = FailingDisk.build();
    if (typeof disk === 'string') return skip(disk);
    const seed = Workspace.trusted();
    await seed.answer('memory', 'fact', 'add', 'the garden has three beds');
    const workspace = new FailingWorkspace(seed, disk);
    const args = COMMANDS[command] ?? [];
    const calls = await workspace.countCalls(args);
    expect(calls).toBeGreaterThan(10);
    for (let from = 1; from <= calls; from += from < EVERY_CALL ? 1 : STRIDE) {
      await workspace.attempt(args, { errno, from });
      await workspace.attempt(args, { errno, from, times: 1 });
    }
  },
);
