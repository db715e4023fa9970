import { appendFileSync, fstatSync, type Stats, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { utf8Bytes } from '../../context/index.ts';
import { digestOf } from '../../kernel/index.ts';
import { numbersOf } from './file-stamps.ts';
import { hashFiles } from './hash-files.ts';

describe('hashing files', () => {
  it('reads a file again that changed since the walk, and returns its new hash and stamp', () => {
    const file = join(tempFolder('ünlike-'), 'a');
    writeFileSync(file, 'first');
    const seen = numbersOf(statSync(file));
    appendFileSync(file, ' and more');
    expect(hashFiles({ files: [{ path: utf8Bytes(file), seen }], settledBefore: 0 })).toEqual([
      { hash: digestOf('first and more'), kind: 'f', stamp: numbersOf(statSync(file)), isChanging: false },
    ]);
  });

  it('reports a file that changes during every attempt, with the hash of the last attempt', () => {
    const file = join(tempFolder('plain-'), 'a');
    writeFileSync(file, '0', { mode: 0o755 });
    let changes = 0;
    // Changes the file after it was read, before its state is compared.
    const stat = (descriptor: number): Stats => {
      appendFileSync(file, `${++changes}`);
      return fstatSync(descriptor);
    };
    expect(hashFiles({ files: [{ path: file }], settledBefore: 0 }, stat)).toMatchObject([
      { hash: digestOf('012'), kind: 'x', isChanging: true },
    ]);
    expect(changes).toBe(3);
  });

  it('follows no link, opens no folder and reports missing files', () => {
    const folder = tempFolder('plain-');
    writeFileSync(join(folder, 'a'), 'x');
    symlinkSync('a', join(folder, 'link'));
    const files = ['link', '.', 'gone'].map((name) => ({ path: `${folder}/${name}` }));
    expect(hashFiles({ files, settledBefore: 0 })).toEqual([
      { code: 'ELOOP' },
      { code: 'NOT_A_FILE' },
      { code: 'ENOENT' },
    ]);
  });
});
