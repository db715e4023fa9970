import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { findProgram } from '../../src/adapters/processes/workspace-programs.ts';
import { bundleWorker } from '../support/bundle-worker.ts';

const canChangeUser = process.getuid?.() === 0 && findProgram('setpriv') !== undefined;
const title = 'a user without an entry in the password database has a number, a socket folder, and no home';

it.skipIf(!canChangeUser)(
  canChangeUser ? title : `${title} (skipped: only root can change the user)`,
  async () => {
    const program = await bundleWorker(join(import.meta.dirname, 'no-account-program.ts'), { whole: true });
    const user = ['--reuid', '54321', '--regid', '54321', '--clear-groups'];
    const { stdout, stderr } = spawnSync('setpriv', [...user, process.execPath, '--input-type=module', '-'], {
      cwd: '/',
      env: { PATH: process.env['PATH'], TMPDIR: '/tmp' },
      input: readFileSync(program),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toEqual({
      name: '54321',
      home: '/nonexistent',
      folder: '/tmp/oka-54321',
      oka: 'config.invalid',
    });
  },
);
