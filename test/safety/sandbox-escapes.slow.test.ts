import { spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { EscapeAttempt } from '../../src/adapters/processes/escapes/try-escapes.ts';
import { findProgram } from '../../src/adapters/processes/workspace-programs.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { sandboxTitle, selfTest, withoutSandbox } from './sandbox-kit.ts';

const WITHOUT_ENTRY = 54_321;
const canChangeUser = process.getuid?.() === 0 && findProgram('setpriv') !== undefined;

it.skipIf(withoutSandbox !== undefined || !canChangeUser)(
  sandboxTitle('the self-test holds for a user without rights, if root can run it as one'),
  async () => {
    const program = await bundleWorker(join(import.meta.dirname, 'sandbox-escapes-program.ts'), {
      whole: true,
    });
    const folder = tempFolder();
    for (const name of ['', 'oka-home', 'home']) {
      mkdirSync(join(folder, name), { recursive: true });
      chownSync(join(folder, name), WITHOUT_ENTRY, WITHOUT_ENTRY);
    }
    writeFileSync(join(folder, 'oka-home', 'key'), 'key');
    const user = ['--reuid', WITHOUT_ENTRY, '--regid', WITHOUT_ENTRY, '--clear-groups'].map(String);
    const { stdout, stderr } = spawnSync('setpriv', [...user, process.execPath, '--input-type=module', '-'], {
      cwd: folder,
      env: { ...process.env, HOME: join(folder, 'home') },
      input: readFileSync(program),
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const attempts = JSON.parse(stdout) as readonly EscapeAttempt[];
    expect(attempts.length).toBeGreaterThanOrEqual(70);
    expect(attempts.filter(({ held }) => !held)).toEqual([]);
  },
);

it.skipIf(withoutSandbox !== undefined)(
  sandboxTitle('the self-test reports what only a draft stops, where programs have none'),
  async () => {
    const through = (await selfTest({ drafts: false })).filter(({ held }) => !held);
    expect(through.map(({ attempt }) => attempt)).toEqual(
      expect.arrayContaining([
        'leave a link out of the workspace',
        'leave a link out of the workspace through another link',
        'leave a program that acts as its owner',
        'leave a pipe that stops who reads it',
        'write POLICY.md and .mcp.json',
      ]),
    );
  },
);
