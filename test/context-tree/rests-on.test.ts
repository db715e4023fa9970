import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { memoryOn } from '../../src/runtime/memory/memory.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { treeKit } from './tree-kit.ts';

describe('a fact that rests on a file', () => {
  it('becomes stale when the file changes or is deleted, and fresh again when it is restored', async () => {
    const kit = treeKit();
    kit.write({ 'src/port.ts': 'export const port = 80;' });
    await kit.scan();
    const { memory } = memoryOn(
      {
        folder: new WorkspaceFolder(kit.workspace),
        clock: systemClock,
        random: seededRandom(1),
        nodes: kit.tree,
        ledger: () => kit.ledger,
        writableRedacted: async () => kit.ledger,
      },
      kit.ledger,
    );
    const version = (await kit.tree.scanned().node('src/port.ts'))?.id as string;
    const restsOn = { path: 'src/port.ts', version };
    const { id } = await memory.addFact({ text: 'the server listens on port 80', restsOn }, 'test');
    const isStale = async (): Promise<boolean> => (await memory.fact(id)).stale === true;
    expect(await isStale()).toBe(false);
    kit.write({ 'src/port.ts': 'export const port = 81;' });
    expect(await isStale()).toBe(true);
    kit.write({ 'src/port.ts': 'export const port = 80;' });
    expect(await isStale()).toBe(false);
    rmSync(join(kit.workspace, 'src/port.ts'));
    expect(await isStale()).toBe(true);
  });
});
