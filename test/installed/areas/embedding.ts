// The package as a library: its entry points, every file of the build, and a program that embeds it.

import { existsSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../checkout.ts';
import { runProgram } from '../run-program.ts';
import { servePage } from '../serve-page.ts';
import { type Area, allowAll } from './area.ts';

interface Package {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
}

export function embeddingArea({ oka, open }: Area): void {
  test('every entry point exports what its source exports', async () => {
    const { exports } = JSON.parse(
      readFileSync(join(oka().packageFolder, 'package.json'), 'utf8'),
    ) as Package;
    const sources = JSON.parse(readFileSync(join(root, 'scripts', 'entry-points.json'), 'utf8'));
    const expected: Record<string, readonly string[]> = {};
    for (const [face, { types }] of Object.entries(exports)) {
      if (types === undefined) continue;
      expect(existsSync(join(oka().packageFolder, types)), types).toBe(true);
      const source = sources[basename(types, '.d.ts')] as string;
      expected[face] = Object.keys(await import(join(root, source))).sort();
    }
    expect(Object.keys(expected).length).toBeGreaterThan(5);
    expect(await runProgram(oka(), await open(), 'name-exports.mjs')).toEqual(expected);
  });

  test('every file of the build can be loaded', async () => {
    expect(await runProgram(oka(), await open({ env: { OKA_TEST_LOADED: '' } }), 'load-all.mjs')).toEqual({});
  });

  test('a program that embeds Oka fetches a page, and its span is collected', async () => {
    const page = await servePage();
    const workspace = await open({ userConfig: { allow_private: [page.host] } });
    allowAll(workspace);
    const words = [workspace.root, workspace.home, page.url, import.meta.resolve('@opentelemetry/api')];
    const found = await runProgram(oka(), workspace, 'embed.mjs', ...words);
    expect(found).toMatchObject({
      run: { status: 'completed' },
      output: { body: 'a page' },
      spans: ['embedding'],
    });
  });
}
