import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from './checkout.ts';

test.each([
  ['formatted, and keeps to the rules of Biome', '@biomejs/biome/bin/biome', 'check', '--error-on-warnings'],
  [
    'without a lost promise, a forgotten case or a wrong type',
    'oxlint/bin/oxlint',
    '--type-aware',
    '--type-check',
  ],
])('this tree is %s', (_, command, ...args) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    [join(root, 'node_modules', command), ...args],
    {
      cwd: root,
      encoding: 'utf8',
    },
  );
  expect(status, stdout + stderr).toBe(0);
});
