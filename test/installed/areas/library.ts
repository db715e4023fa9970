// The example programs of the library guide, compiled against the shipped types and run with the installed package.

import { spawnSync } from 'node:child_process';
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, test } from 'vitest';
import { root } from '../../checkout.ts';
import { tempFolder } from '../../support/temp-folder.ts';
import { MAX_TARBALL_BYTES, MAX_UNPACKED_BYTES } from '../package-size.ts';
import type { Area } from './area.ts';

const EXAMPLES = join(root, 'examples');
const STRICT = {
  ...{ target: 'es2023', lib: ['es2023'], module: 'nodenext', moduleResolution: 'nodenext' },
  ...{ strict: true, skipLibCheck: false, exactOptionalPropertyTypes: true, verbatimModuleSyntax: true },
  types: ['node'],
  typeRoots: [join(root, 'node_modules', '@types')],
};

/** The same for every Node, so that it runs once. */
export function libraryArea({ oka }: Pick<Area, 'oka'>): void {
  const program = (): string => join(oka().folder, 'program');

  beforeAll(() => {
    mkdirSync(join(program(), 'node_modules'), { recursive: true });
    // Programs have a zod of their own, which the declarations of Oka do not find.
    symlinkSync(join(root, 'node_modules', 'zod'), join(program(), 'node_modules', 'zod'), 'junction');
    writeFileSync(join(program(), 'package.json'), '{ "private": true, "type": "module" }');
    const sources = [
      'embed-an-engine.ts',
      ...readdirSync(join(EXAMPLES, 'library')).map((name) => `library/${name}`),
    ];
    const names = sources.map((source) => source.replace('library/', ''));
    for (const [i, source] of sources.entries())
      copyFileSync(join(EXAMPLES, source), join(program(), names[i] as string));
    writeFileSync(join(program(), 'every-entry.ts'), importsOfEveryEntry(oka().packageFolder));
    const config = { compilerOptions: { ...STRICT, outDir: 'built' }, files: [...names, 'every-entry.ts'] };
    writeFileSync(join(program(), 'tsconfig.json'), JSON.stringify(config));
  });

  /** Runs a compiled example and returns what it printed. */
  function run(name: string, ...args: readonly string[]): { signal: string | null; printed: unknown } {
    const file = join(program(), 'built', `${name}.js`);
    const { signal, stdout, stderr } = spawnSync(process.execPath, [file, ...args], { encoding: 'utf8' });
    return { signal, printed: stdout === '' ? stderr : JSON.parse(stdout) };
  }

  test('the examples and every entry point compile under strict without skipLibCheck, and the examples run', () => {
    const tsc = join(root, 'node_modules', 'typescript', 'bin', 'tsc');
    const { stdout } = spawnSync(process.execPath, [tsc, '-p', program()], { encoding: 'utf8' });
    expect(stdout).toBe('');

    const state = join(tempFolder(), 'state');
    expect(run('embed', state, 'crash')).toEqual({ signal: 'SIGKILL', printed: '' });
    const parcels = ['p1', 'p2', 'p3'];
    expect(run('embed', state).printed).toEqual({ resumed: 1, runs: ['completed'], parcels });
    expect(run('own-tool-and-planner').printed).toEqual({
      ...{ before: 0, asked: 'mail.send', outbox: ['ada@example.org: greet ada'] },
      ...{ output: { sentTo: 'ada@example.org' }, differences: [] },
    });
    expect(run('own-middleware').printed).toMatchObject({ output: 'ding ding', failure: null });
    expect(run('own-middleware', '2026-01-31T23:00:00Z').printed).toMatchObject({
      ...{ output: null, failure: 'bell.night', log: [] },
      order: expect.arrayContaining(['quiet-at-night', 'log-calls']),
    });
  });

  test('the tarball and its content are smaller than their limits', () => {
    const files = readdirSync(oka().packageFolder, { recursive: true, withFileTypes: true });
    const bytes = files
      .filter((file) => file.isFile() && !file.parentPath.includes('node_modules/oka/node_modules'))
      .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0);
    expect(bytes).toBeGreaterThan(1_000_000);
    expect(bytes).toBeLessThan(MAX_UNPACKED_BYTES);
    expect(statSync(oka().tarball).size).toBeLessThan(MAX_TARBALL_BYTES);
    const types = files.filter(({ name }) => name.endsWith('.d.ts'));
    expect(types.length).toBeGreaterThan(0);
  });
}

function importsOfEveryEntry(packageFolder: string): string {
  const { exports } = JSON.parse(readFileSync(join(packageFolder, 'package.json'), 'utf8')) as {
    exports: Readonly<Record<string, { readonly types?: string }>>;
  };
  const entries = Object.entries(exports).filter(([, { types }]) => types !== undefined);
  return entries.map(([entry], i) => `export * as entry${i} from 'oka${entry.slice(1)}';\n`).join('');
}
