import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../checkout.ts';

test('every built entry point loads and exports what its source exports', async () => {
  const sources = JSON.parse(readFileSync(join(root, 'scripts', 'entry-points.json'), 'utf8'));
  const expected: Record<string, readonly string[]> = {};
  for (const [name, source] of Object.entries<string>(sources))
    expected[name === 'index' ? '.' : `./${name}`] = Object.keys(await import(join(root, source))).sort();
  const program = join(root, 'test', 'installed', 'scripts', 'name-exports.mjs');
  const { stdout, stderr } = spawnSync(process.execPath, [program], { encoding: 'utf8' });
  expect(stderr).toBe('');
  expect(JSON.parse(stdout)).toEqual(expected);
});
