import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

const ROOT = join(import.meta.dirname, '..', '..');
const CELL = /`([^`]+\.ts)`((?:[:,] "[^"]+")*)/g;
const NAME = /"([^"]+)"/g;

it('docs/context-criteria.md names existing files and tests, at least one for each requirement', () => {
  const page = readFileSync(join(ROOT, 'docs/context-criteria.md'), 'utf8');
  const rows = page.split('\n').filter((line) => /^\| (?!what must hold)/.test(line));
  expect(rows.length).toBeGreaterThan(60);
  const wrong: string[] = [];
  for (const row of rows) {
    const cells = [...row.matchAll(CELL)];
    if (cells.length === 0) wrong.push(`no test: ${row}`);
    for (const [, file = '', names = ''] of cells) {
      const source = existsSync(join(ROOT, file)) ? readFileSync(join(ROOT, file), 'utf8') : undefined;
      if (source === undefined) wrong.push(`no file ${file}`);
      for (const [, name = ''] of names.matchAll(NAME))
        if (source !== undefined && !source.includes(`'${name}'`))
          wrong.push(`${file} has no test "${name}"`);
    }
  }
  expect(wrong).toEqual([]);
});
