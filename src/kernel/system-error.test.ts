import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { OkaError } from './errors.ts';
import { explainSystemError, systemRefusal, withErrorPath } from './system-error.ts';

function caught(work: () => unknown): unknown {
  try {
    return work();
  } catch (error) {
    return error;
  }
}

it('names the path, the operation and the next step', () => {
  const folder = mkdtempSync(join(tmpdir(), 'oka-test-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const missing = join(folder, 'missing');
  expect(explainSystemError(caught(() => readFileSync(missing)))?.toJSON()).toEqual({
    code: 'system.not_found',
    message: `Cannot open ${missing}: it does not exist (ENOENT). Check the path, then run the command again.`,
    data: { system: 'ENOENT', call: 'open', path: missing },
  });
  const below = join(folder, 'file', 'below');
  writeFileSync(join(folder, 'file'), '');
  expect(explainSystemError(caught(() => writeFileSync(below, '')))).toMatchObject({
    code: 'system.wrong_kind',
  });
  expect(explainSystemError(caught(() => readFileSync(folder)))).toMatchObject({ code: 'system.wrong_kind' });
});

it('adds the known path to an error about a descriptor', () => {
  const failed = (): never => {
    throw Object.assign(new Error('EIO: i/o error, fsync'), { code: 'EIO', syscall: 'fsync', errno: -5 });
  };
  const error = caught(() => withErrorPath('/disk/file', failed));
  expect(explainSystemError(error)).toMatchObject({
    code: 'system.io_failed',
    message: expect.stringMatching(/^Cannot write \/disk\/file: .+ \(EIO\)\. Check the disk/),
  });
});

it('knows every disk and file error, and leaves other errors unchanged', () => {
  const names =
    'EIO ENOSPC EDQUOT EMFILE ENFILE EROFS EACCES EPERM ENOTDIR EISDIR ELOOP ENAMETOOLONG ENOENT EBUSY';
  for (const name of names.split(' ')) expect(systemRefusal(name)?.code, name).toMatch(/^system\./);
  expect(explainSystemError(new Error('a bug'))).toBeUndefined();
  expect(explainSystemError(new OkaError('kernel.bug', 'ours'))).toBeUndefined();
  const refused = Object.assign(new Error('refused'), { code: 'ECONNREFUSED', syscall: 'connect' });
  expect(explainSystemError(refused)).toBeUndefined();
});
