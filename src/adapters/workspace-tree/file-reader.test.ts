import { appendFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { digestOf } from '../../kernel/index.ts';
import { contentHasher } from './content-hasher.ts';
import { fileReader } from './file-reader.ts';

const numbers = (file: string): Float64Array => {
  const { size, mtimeMs, ctimeMs, ino } = statSync(file);
  return Float64Array.of(size, mtimeMs, ctimeMs, ino);
};

describe('reading files', () => {
  it('reads again when a file is not as it was seen, and answers with what it is', () => {
    const file = join(tempFolder(), 'a');
    writeFileSync(file, 'first');
    const seen = numbers(file);
    appendFileSync(file, ' and more');
    const answer = fileReader(contentHasher())({
      paths: `${Buffer.from(file).toString('latin1')}\0`,
      stamps: seen,
      settledBefore: 0,
    });
    expect(answer.hashes).toBe(digestOf('first and more'));
    expect([...answer.stamps]).toEqual([...numbers(file)]);
    expect(answer.troubles.size).toBe(0);
  });

  it('says of a file that never stays the same that it is changing', () => {
    const stamps = Float64Array.of(Number.NaN, 0, 0, 0);
    // Its time is never the one that it was seen with.
    Object.defineProperty(stamps, 'set', { value: () => undefined });
    const file = join(tempFolder(), 'a');
    writeFileSync(file, 'x');
    const answer = fileReader(contentHasher())({
      paths: `${Buffer.from(file).toString('latin1')}\0`,
      stamps,
      settledBefore: 0,
    });
    expect(answer.troubles.get(0)).toBe('CHANGING');
    expect(answer.hashes).toBe(digestOf('x'));
  });

  it('follows no link, opens no folder, and says what is gone', () => {
    const folder = tempFolder('plain-');
    writeFileSync(join(folder, 'a'), 'x');
    symlinkSync('a', join(folder, 'link'));
    const paths = ['link', '.', 'gone'].map((name) => `${folder}/${name}\0`).join('');
    const answer = fileReader(contentHasher())({
      paths,
      stamps: new Float64Array(12).fill(Number.NaN),
      settledBefore: 0,
    });
    expect([...answer.troubles.values()]).toEqual(['ELOOP', 'NOT_A_FILE', 'ENOENT']);
    expect(answer.hashes.trim()).toBe('');
  });
});
