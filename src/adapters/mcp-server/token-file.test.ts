import { existsSync, mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { TokenFile } from './token-file.ts';

test('is readable only by its owner', () => {
  const path = join(tempFolder(), 'run', 'mcp-token');
  new TokenFile(path).write('secret');
  expect(readFileSync(path, 'utf8')).toBe('secret\n');
  expect(statSync(path).mode & 0o777).toBe(0o600);
  expect(statSync(join(path, '..')).mode & 0o777).toBe(0o700);
});

test('is removed only with its own token', () => {
  const file = new TokenFile(join(tempFolder(), 'mcp-token'));
  file.write('first');
  file.write('second');
  file.remove('first');
  expect(readFileSync(file.path, 'utf8')).toBe('second\n');
  file.remove('second');
  expect(existsSync(file.path)).toBe(false);
  file.remove('second');
});

test('follows no link, neither of the folder nor of the file', () => {
  const folder = tempFolder();
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  mkdirSync(join(folder, 'run'));
  symlinkSync(elsewhere, join(folder, 'run', 'mcp-token'));
  new TokenFile(join(folder, 'run', 'mcp-token')).write('secret');
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');

  symlinkSync(join(folder, 'run'), join(folder, 'link'));
  const write = (): void => new TokenFile(join(folder, 'link', 'mcp-token')).write('secret');
  expect(write).toThrow(expect.objectContaining({ code: 'config.link_refused' }));
});
