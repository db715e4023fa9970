import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { HistoryFile } from './history-file.ts';

test('keeps typed lines, newest first, readable only by the user', () => {
  const home = join(tempFolder(), 'home');
  const history = new HistoryFile(home);
  expect(history.load()).toEqual([]);
  history.add('first');
  history.add('two\nlines');
  expect(new HistoryFile(home).load()).toEqual(['two⏎lines', 'first']);
  expect(statSync(join(home, 'repl-history')).mode & 0o777).toBe(0o600);
});

test('does not keep secrets', () => {
  const home = tempFolder();
  const history = new HistoryFile(home);
  history.add('/vault add mail --value hunter2');
  history.add(' said with a space before it');
  history.add('use sk-ant-abcdefghijklmnopqrstuvwxyz0123456789 for this');
  const text = readFileSync(join(home, 'repl-history'), 'utf8');
  expect(text).toBe('use [redacted api-key] for this\n');
});

test('shortens a long history', () => {
  const home = tempFolder();
  const file = join(home, 'repl-history');
  writeFileSync(file, Array.from({ length: 2_500 }, (_, i) => `line ${i}\n`).join(''));
  expect(new HistoryFile(home).load()).toHaveLength(1_000);
  const kept = readFileSync(file, 'utf8').trimEnd().split('\n');
  expect([kept.length, kept[0], kept.at(-1)]).toEqual([1_000, 'line 1500', 'line 2499']);
  expect(statSync(file).mode & 0o777).toBe(0o600);
});

test('ignores a folder that cannot be written', () => {
  const file = join(tempFolder(), 'file');
  writeFileSync(file, '');
  const history = new HistoryFile(join(file, 'home'));
  expect(() => history.add('something')).not.toThrow();
  expect(history.load()).toEqual([]);
});
