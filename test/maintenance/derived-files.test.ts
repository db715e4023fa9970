import { mkdirSync, readdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { DerivedFiles } from '../../src/adapters/workspace/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const TODOS = 'brain/TODOS.md';

describe('the folder of derived files', () => {
  it('is replaced only where something changed, and obsolete files are removed', () => {
    const folder = tempFolder();
    const files = new DerivedFiles(folder);
    files.replace(
      new Map([
        [TODOS, 'a'],
        ['memory/2026-01-31.md', 'b'],
      ]),
    );
    const before = statSync(join(folder, TODOS)).ino;
    expect(files.replace(new Map([[TODOS, 'a']]))).toMatchObject({
      written: [],
      removed: ['memory/2026-01-31.md'],
      unchanged: 1,
    });
    expect(statSync(join(folder, TODOS)).ino).toBe(before);
    expect(readdirSync(join(folder, 'memory'))).toEqual([]);
  });

  it('keeps files of people under other names', () => {
    const folder = tempFolder();
    mkdirSync(join(folder, 'brain'));
    writeFileSync(join(folder, 'brain', 'notes.md'), 'mine');
    new DerivedFiles(folder).replace(new Map([[TODOS, 'a']]));
    expect(readFileSync(join(folder, 'brain', 'notes.md'), 'utf8')).toBe('mine');
  });

  it('writes through no link: a file, a folder or the leftover of a crash', () => {
    const [folder, outside] = [tempFolder(), tempFolder()];
    const files = new DerivedFiles(folder);
    writeFileSync(join(outside, 'precious'), 'precious');
    mkdirSync(join(folder, 'brain'));
    symlinkSync(join(outside, 'precious'), join(folder, `${TODOS}.new`));
    files.replace(new Map([[TODOS, 'a']]));
    expect(readFileSync(join(folder, TODOS), 'utf8')).toMatch(/^<!-- [^\n]+ -->\na$/);
    symlinkSync(join(outside, 'precious'), join(folder, 'brain', 'LEARNINGS-x.md'));
    expect(() => files.replace(new Map([['brain/LEARNINGS-x.md', 'b']]))).toThrow(/link/);
    symlinkSync(outside, join(folder, 'memory'));
    expect(() => files.replace(new Map())).toThrow(/link/);
    expect(readFileSync(join(outside, 'precious'), 'utf8')).toBe('precious');
  });
});
