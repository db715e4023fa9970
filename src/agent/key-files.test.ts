import { describe, expect, it } from 'vitest';
import { chooseKeyFiles } from './key-files.ts';

function choose(paths: readonly string[], folder = '.'): string[] {
  return chooseKeyFiles(
    paths.map((path) => ({ path, bytes: 100 })),
    folder,
  );
}

describe('choosing key files', () => {
  it('puts readmes first, then manifests, documents, entry points, sources, and secondary files last', () => {
    const ordered = [
      'README.md',
      'package.json',
      'a.md',
      'src/index.ts',
      'src/a.ts',
      'test/a.ts',
      'sub/package.json',
    ];
    expect(choose([...ordered].reverse())).toEqual(ordered);
  });

  it('includes sources despite many documents, and stops at eight', () => {
    const documents = Array.from({ length: 9 }, (_, i) => `d${i}.md`);
    const sources = Array.from({ length: 9 }, (_, i) => `s${i}.ts`);
    expect(choose([...documents, ...sources])).toEqual([...documents.slice(0, 3), ...sources.slice(0, 5)]);
  });

  it('omits files that are hidden, empty, not text, or too large', () => {
    expect(choose(['.env', '.secret.md', 'logo.png', 'data.bin'])).toEqual([]);
    expect(
      chooseKeyFiles(
        [
          { path: 'a.md', bytes: 0 },
          { path: 'b.ts', bytes: 20_000 },
        ],
        '.',
      ),
    ).toEqual([]);
  });

  it('ranks files relative to the given folder', () => {
    expect(choose(['docs/README.md', 'docs/deep/README.md', 'docs/a.md'], 'docs')).toEqual([
      'docs/README.md',
      'docs/a.md',
      'docs/deep/README.md',
    ]);
  });
});
