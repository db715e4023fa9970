import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types?: string }>;
};

const sources = JSON.parse(readFileSync(join(root, 'scripts', 'entry-points.json'), 'utf8')) as Record<
  string,
  string
>;

/** Every name that a source file exports, types and re-exported files included. */
function namesOf(source: string): string[] {
  const text = readFileSync(join(root, source), 'utf8');
  const lists = [...text.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap((match) =>
    (match[1] as string).split(','),
  );
  const own = lists.map((name) => name.trim().replace(/^type /, '')).filter(Boolean);
  const others = [...text.matchAll(/^export \* from '([^']+)';$/gm)].flatMap(([, path]) =>
    namesOf(join(dirname(source), path as string)),
  );
  return [...new Set([...own, ...others])].sort();
}

describe('the entry points of the package', () => {
  it('are those that the build makes', () => {
    const typed = Object.entries(exports).filter(([, { types }]) => types !== undefined);
    expect(typed.map(([name]) => name.slice(2) || 'index')).toEqual(Object.keys(sources));
    for (const [name, { types }] of typed)
      expect(types).toBe(`./dist/types/${name.slice(2) || 'index'}.d.ts`);
  });

  it('export exactly the names in the snapshot', async () => {
    const text = Object.entries(sources)
      .filter(([name]) => name !== 'index')
      .map(
        ([name, source]) =>
          `oka/${name}\n${namesOf(source)
            .map((one) => `  ${one}`)
            .join('\n')}\n`,
      )
      .join('\n');
    await expect(text).toMatchFileSnapshot('./api-snapshot.txt');
  });
});
