import { describe, expect, it } from 'vitest';
import { digestOf } from '../../kernel/index.ts';
import { PackedFolder } from './packed-folder.ts';
import type { FolderRecord } from './types.ts';

const FOLDER: FolderRecord = {
  path: 'a/ü',
  id: digestOf('folder'),
  stamp: { size: 4_096, modifiedAt: 1.5, changedAt: 2.25, inode: 7 },
  rules: digestOf('rules'),
  ignoreFiles: 2,
  names: ['a.txt', 'below', 'link 1', 'link 2', 'ж.sh'],
  kinds: 'fdllx',
  contents: [digestOf('a'), digestOf('below'), '../x/y z%', 'ü', digestOf('ж')],
  stamps: Float64Array.from({ length: 20 }, (_, i) => i + 0.5),
  skipped: [{ name: 'pipe', why: 'no "file"' }],
  leftOut: ['build', 'node_modules'],
};

describe('a packed folder', () => {
  it.each([
    ['full', FOLDER],
    [
      'empty',
      {
        ...FOLDER,
        names: [],
        kinds: '',
        contents: [],
        stamps: new Float64Array(),
        skipped: [],
        leftOut: [],
      },
    ],
  ])('round-trips, also from unaligned bytes, when it is %s', (_, folder) => {
    const { bytes } = PackedFolder.of(folder);
    const askew = Buffer.concat([Buffer.from('x'), bytes]).subarray(1);
    for (const packed of [PackedFolder.of(folder), new PackedFolder(folder.path, askew)]) {
      for (const key of Object.keys(folder) as (keyof FolderRecord)[])
        expect(packed[key]).toEqual(folder[key]);
    }
    expect(bytes.length % 8).toBe(0);
  });

  it('counts its files and links', () => {
    expect(PackedFolder.of(FOLDER).counts).toEqual({ files: 2, links: 2, bytes: 0.5 + 16.5 });
  });
});
