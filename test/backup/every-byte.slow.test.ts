import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readArchive } from '../../src/adapters/backup/read-archive.ts';
import { Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

test('every changed or missing byte of an archive is detected: all at its ends, every fifth between', async () => {
  const workspace = Workspace.trusted();
  const file = join(tempFolder(), 'b.tar.gz');
  await workspace.answer('backup', 'create', file);
  const bytes = readFileSync(file);
  const damaged = join(dirname(file), 'damaged.tar.gz');
  const faultsOf = async (content: Buffer): Promise<number> => {
    writeFileSync(damaged, content);
    return (await readArchive(damaged, {})).faults.length;
  };
  expect(await faultsOf(bytes)).toBe(0);
  const unnoticed: string[] = [];
  const isEdge = (place: number): boolean => place < 128 || place >= bytes.length - 128;
  for (let place = 0; place < bytes.length; place += isEdge(place) ? 1 : 5) {
    const flipped = Buffer.from(bytes);
    flipped[place] = (flipped[place] as number) ^ (1 << (place % 8));
    if ((await faultsOf(flipped)) === 0) unnoticed.push(`flipped ${place}`);
    if ((await faultsOf(bytes.subarray(0, place))) === 0) unnoticed.push(`cut at ${place}`);
  }
  expect(unnoticed).toEqual([]);
});
