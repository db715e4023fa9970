import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { PROGRAM, Workspace } from './oka-process.ts';

/** Runs the command line in a process that says at its end what it has loaded. */
const TELLING = `
process.on('exit', () => {
  const files = Object.keys(require.cache);
  process.stderr.write(JSON.stringify({ files, builtIn: process.moduleLoadList }));
});
require(process.argv[1]);
`;

interface Loaded {
  readonly files: readonly string[];
  readonly builtIn: readonly string[];
}

function loadedBy(workspace: Workspace, ...args: readonly string[]): Loaded {
  const { status, stderr } = spawnSync(process.execPath, ['-e', TELLING, PROGRAM, ...args], {
    cwd: workspace.root,
    env: { PATH: process.env['PATH'], HOME: workspace.home, OKA_HOME: workspace.home },
    encoding: 'utf8',
  });
  expect(status, stderr).toBe(0);
  return JSON.parse(stderr) as Loaded;
}

test('runs list loads one built file and no module of other commands', () => {
  const { files, builtIn } = loadedBy(Workspace.trusted(), 'runs', 'list');
  const own = files.filter((file) => !file.endsWith('.node'));
  expect(own.map((file) => basename(file)).sort()).toEqual(['cli.cjs', 'command-line.cjs', 'oka.cjs']);
  const needless = ['child_process', 'crypto', 'fs/promises', 'http', 'readline', 'worker_threads'];
  for (const name of needless) expect(builtIn).not.toContain(`NativeModule ${name}`);
});

const DIST = join(dirname(PROGRAM), '..', 'dist');

test('every file that the command line loads exists', () => {
  const files = readdirSync(DIST).filter((name) => name.endsWith('.cjs'));
  const loaded = files.flatMap((name) =>
    [...readFileSync(join(DIST, name), 'utf8').matchAll(/require\("\.\/([^"]+\.cjs)"\)/g)].map(
      ([, file]) => file,
    ),
  );
  expect(loaded.length).toBeGreaterThan(files.length);
  expect(loaded.filter((file) => !files.includes(file as string))).toEqual([]);
});

test('the cached code of the command line belongs to this build', () => {
  const [kept, source] = ['cli.code', 'cli.cjs'].map((name) => readFileSync(join(DIST, name), 'latin1'));
  const mark = /\/\/([0-9a-f]{64})\n$/.exec(source as string)?.[1];
  expect(kept?.slice(0, 64)).toBe(mark);
  expect(kept?.length).toBeGreaterThan(100_000);
});

test('at startup a command loads only the packages for parsing, text width, colours and SQLite', () => {
  const map = join(DIST, 'cli.cjs.map');
  const { sources } = JSON.parse(readFileSync(map, 'utf8')) as { sources: readonly string[] };
  const packages = sources.flatMap((source) => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)?.[1] ?? []);
  expect([...new Set(packages)].sort()).toEqual([
    '@photostructure/sqlite',
    'commander',
    'fast-string-truncated-width',
    'picocolors',
  ]);
});
