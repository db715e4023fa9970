import { lstatSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../test/support/temp-folder.ts';
import { makePrivateFolder, replaceFile, writeNewFile } from './private-files.ts';
import { temporaryFor } from './temporary-files.ts';

test('replaces a file as a whole, for its owner only, and leaves no temporary file', () => {
  const folder = tempFolder();
  const file = join(folder, 'a');
  writeFileSync(file, 'old', { mode: 0o644 });
  replaceFile(file, ['new ', 'text']);
  expect(readFileSync(file, 'utf8')).toBe('new text');
  expect(lstatSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(folder)).toEqual(['a']);
});

test('never writes through a link', () => {
  const folder = tempFolder();
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'untouched');
  symlinkSync(elsewhere, temporaryFor(join(folder, 'a')));
  replaceFile(join(folder, 'a'), 'text');
  symlinkSync(elsewhere, join(folder, 'link'));
  expect(() => writeNewFile(join(folder, 'link'), 'text')).toThrow('EEXIST');
  expect(readFileSync(elsewhere, 'utf8')).toBe('untouched');
  symlinkSync(tempFolder(), join(folder, 'linked'));
  expect(() => makePrivateFolder(join(folder, 'linked'))).toThrow(
    expect.objectContaining({ code: 'config.link_refused' }),
  );
});

test('removes a new file that could not be written completely', () => {
  const folder = tempFolder();
  const parts = function* (): Generator<string> {
    yield 'begin';
    throw new Error('no more');
  };
  expect(() => writeNewFile(join(folder, 'a'), parts())).toThrow('no more');
  expect(readdirSync(folder)).toEqual([]);
});
