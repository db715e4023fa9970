// The package as a library: its faces, its types, every file of the build, and a program that embeds it.

import { spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { root } from '../../checkout.ts';
import { runProgram } from '../run-program.ts';
import { servePage } from '../serve-page.ts';
import { type Area, allowAll } from './area.ts';

interface Package {
  readonly exports: Readonly<Record<string, { readonly types?: string }>>;
}

export function embeddingArea({ oka, open }: Area): void {
  test('every face exports what its source exports', async () => {
    const { exports } = JSON.parse(
      readFileSync(join(oka().packageFolder, 'package.json'), 'utf8'),
    ) as Package;
    const expected: Record<string, readonly string[]> = {};
    for (const [face, { types }] of Object.entries(exports)) {
      if (types === undefined) continue;
      expect(existsSync(join(oka().packageFolder, types)), types).toBe(true);
      const source = types.replace('./dist/types/', '').replace('.d.ts', '.ts');
      expected[face] = Object.keys(await import(join(root, 'src', source))).sort();
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
    const found = await runProgram(oka(), workspace, 'embed.mjs', workspace.root, workspace.home, page.url);
    expect(found).toMatchObject({
      run: { status: 'completed' },
      output: { body: 'a page' },
      spans: ['embedding'],
    });
  });
}

/** The same for every Node, so that it runs once. */
export function typesArea({ oka }: Pick<Area, 'oka'>): void {
  test('the shipped types fit a program that embeds an engine', () => {
    copyFileSync(join(root, 'examples', 'embed-an-engine.ts'), join(oka().folder, 'embed-an-engine.mts'));
    const compilerOptions = {
      ...{ target: 'es2023', module: 'nodenext', strict: true, noEmit: true, types: ['node'] },
      typeRoots: [join(root, 'node_modules', '@types')],
    };
    const config = { compilerOptions, files: ['embed-an-engine.mts'] };
    writeFileSync(join(oka().folder, 'tsconfig.json'), JSON.stringify(config));
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', oka().folder], { encoding: 'utf8' });
    expect(stdout).toBe('');
  });
}
