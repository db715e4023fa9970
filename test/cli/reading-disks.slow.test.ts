import { expect, test } from 'vitest';
import { look, lookingCommands, REFUSING_DISKS, seededWorkspace, timeless } from './reading-workspace.ts';

test.for(Object.keys(REFUSING_DISKS))(
  'every command that only reads gives the same answer on %s and leaves it unchanged',
  async (kind, { skip }) => {
    const seed = await seededWorkspace();
    const disk = await REFUSING_DISKS[kind]?.(seed);
    if (disk === undefined || typeof disk === 'string') return skip(disk);
    const before = disk.files();
    for (const args of await lookingCommands(seed)) {
      const here = timeless(await look(disk.workspace, args), disk.workspace.root);
      expect({ args, answer: here }).toEqual({
        args,
        answer: timeless(await look(disk.like, args), disk.like.root),
      });
    }
    expect(disk.files()).toEqual(before);
  },
);
