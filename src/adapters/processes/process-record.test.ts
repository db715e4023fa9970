import { mkdirSync, readFileSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ProcessRecord } from './process-record.ts';

const OURS = { pid: 7, owner: '7@here#1', startedAt: 5 };

test('records the running process, in a folder that only its owner can enter', () => {
  const folder = join(tempFolder(), 'run');
  const record = new ProcessRecord(folder, 'scheduler');
  expect(record.read()).toBeUndefined();
  record.write(OURS);
  expect(record.read()).toEqual({ ...OURS, log: join(folder, 'scheduler.log') });
  expect(statSync(folder).mode & 0o777).toBe(0o700);
  expect(statSync(join(folder, 'scheduler.json')).mode & 0o777).toBe(0o600);
});

test('replaces the record of a dead process, even if it is invalid JSON', () => {
  const folder = tempFolder();
  writeFileSync(join(folder, 'scheduler.json'), '{"pid":');
  const record = new ProcessRecord(folder, 'scheduler');
  expect(record.read()).toBeUndefined();
  record.write(OURS);
  expect(record.read()).toMatchObject(OURS);
});

test('is removed only by the process that it describes', () => {
  const record = new ProcessRecord(tempFolder(), 'scheduler');
  record.write(OURS);
  record.remove('8@here#1');
  expect(record.read()).toMatchObject(OURS);
  record.remove(OURS.owner);
  expect(record.read()).toBeUndefined();
});

test('follows no link, neither of the folder nor of the file', () => {
  const folder = tempFolder();
  const elsewhere = join(folder, 'elsewhere');
  writeFileSync(elsewhere, 'mine');
  mkdirSync(join(folder, 'run'));
  symlinkSync(elsewhere, join(folder, 'run', 'scheduler.json'));
  new ProcessRecord(join(folder, 'run'), 'scheduler').write(OURS);
  expect(readFileSync(elsewhere, 'utf8')).toBe('mine');

  symlinkSync(join(folder, 'run'), join(folder, 'link'));
  const write = (): void => new ProcessRecord(join(folder, 'link'), 'scheduler').write(OURS);
  expect(write).toThrow(expect.objectContaining({ code: 'config.link_refused' }));
});
