import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = join(import.meta.dirname, '..');
const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as {
  exports: Record<string, { types?: string }>;
};

/** Every name that a face of the package gives away, types included. */
function namesOf(face: string): string[] {
  const source = readFileSync(join(root, face), 'utf8');
  const lists = [...source.matchAll(/export (?:type )?\{([^}]*)\}/g)].flatMap((match) =>
    (match[1] as string).split(','),
  );
  return lists
    .map((name) => name.trim().replace(/^type /, ''))
    .filter(Boolean)
    .sort();
}

describe('the faces of the package', () => {
  it('change only on purpose: what they export is additive', async () => {
    const faces = Object.entries(exports)
      .filter(([name, target]) => name !== '.' && target.types)
      .map(
        ([name, target]) =>
          [
            name,
            namesOf((target.types as string).replace('./dist/types/', 'src/').replace('.d.ts', '.ts')),
          ] as const,
      );
    const text = faces
      .map(([name, names]) => `oka${name.slice(1)}\n${names.map((one) => `  ${one}`).join('\n')}\n`)
      .join('\n');
    await expect(text).toMatchFileSnapshot('./api-snapshot.txt');
  });
});
