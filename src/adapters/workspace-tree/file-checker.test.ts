import { chmodSync, lstatSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { fileChecker } from './file-checker.ts';

const KINDS = { 'a.txt': 'f', 'b.sh': 'x', link: 'l', sub: 'd' } as const;

describe('checking files', () => {
  /** Two folders, of which only the second is changed, and what is found then. */
  function changedAfter(change: (folder: string) => void): readonly number[] {
    const folders = [tempFolder('same-'), tempFolder('ünlike-')];
    const numbers: number[] = [];
    for (const folder of folders) {
      writeFileSync(join(folder, 'a.txt'), 'a');
      writeFileSync(join(folder, 'b.sh'), 'b', { mode: 0o755 });
      symlinkSync('a.txt', join(folder, 'link'));
      mkdirSync(join(folder, 'sub'));
      for (const name of Object.keys(KINDS)) {
        const { size, mtimeMs, ctimeMs, ino } = lstatSync(join(folder, name));
        numbers.push(size, mtimeMs, ctimeMs, ino);
      }
    }
    change(folders[1] as string);
    return fileChecker()({
      places: folders.map((folder) => `${Buffer.from(folder).toString('latin1')}\0`).join(''),
      names: `${Object.keys(KINDS).join('/')}\0`.repeat(2),
      kinds: `${Object.values(KINDS).join('')}\0`.repeat(2),
      stamps: Float64Array.from(numbers),
    });
  }

  it.each<[string, (folder: string) => void]>([
    ['is written', (folder) => writeFileSync(join(folder, 'a.txt'), 'other')],
    ['is gone', (folder) => rmSync(join(folder, 'a.txt'))],
    ['may not be executed any more', (folder) => chmodSync(join(folder, 'b.sh'), 0o644)],
    [
      'leads elsewhere',
      (folder) => [rmSync(join(folder, 'link')), symlinkSync('b.sh', join(folder, 'link'))],
    ],
  ])('names the folder in which something %s', (_, change) => {
    expect(changedAfter(change)).toEqual([1]);
  });

  it('names none when nothing changed, and does not look at folders', () => {
    expect(changedAfter((folder) => rmSync(join(folder, 'sub'), { recursive: true }))).toEqual([]);
  });
});
