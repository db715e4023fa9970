import { spawnSync } from 'node:child_process';
import { expect, test } from 'vitest';
import { root } from './checkout.ts';
import { MAX_TARBALL_BYTES, MAX_UNPACKED_BYTES } from './installed/package-size.ts';

test('the package that the build makes is smaller than its limits, packed and unpacked', () => {
  const { stdout, stderr } = spawnSync('npm', ['pack', '--dry-run', '--json', '--ignore-scripts'], {
    ...{ cwd: root, encoding: 'utf8', maxBuffer: 64 * 1_048_576 },
    shell: process.platform === 'win32',
  });
  expect(stdout, stderr).not.toBe('');
  const [{ size, unpackedSize, files }] = JSON.parse(stdout) as [
    { size: number; unpackedSize: number; files: readonly { path: string }[] },
  ];
  expect(files.map(({ path }) => path)).toContain('dist/cli.cjs');
  expect(size).toBeLessThan(MAX_TARBALL_BYTES);
  expect(unpackedSize).toBeLessThan(MAX_UNPACKED_BYTES);
});
