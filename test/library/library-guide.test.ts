import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../checkout.ts';

const SHOWN = /^<!-- (examples\/library\/[\w-]+\.ts) -->\n```ts\n(.*?)^```$/gms;

test('the library guide contains every example program verbatim', () => {
  const guide = readFileSync(join(root, 'docs', 'guides', 'library.md'), 'utf8');
  const shown = new Map(Array.from(guide.matchAll(SHOWN), ([, path, code]) => [path as string, code]));
  const programs = readdirSync(join(root, 'examples', 'library')).map((name) => `examples/library/${name}`);
  expect([...shown.keys()].sort()).toEqual(programs.sort());
  for (const [path, code] of shown) expect(code, path).toBe(readFileSync(join(root, path), 'utf8'));
});
