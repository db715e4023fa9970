import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { BUILT_IN_PROCEDURES } from '../../src/agent/index.ts';
import { root } from '../checkout.ts';

it('the guide lists every procedure with its example', () => {
  const [, guide = ''] = readFileSync(join(root, 'docs/guides/procedures.md'), 'utf8').split(
    '| procedure | example |',
  );
  const [table = ''] = guide.split('\n\n');
  const rows = [...table.matchAll(/^\| ([a-z-]+) \| (.+) \|$/gm)].map(
    ([, name, example]) => `${name}: ${example}`,
  );
  const names = BUILT_IN_PROCEDURES.map(({ name, example }) => `${name}: ${example}`);
  expect(rows.sort()).toEqual(names.sort());
});
