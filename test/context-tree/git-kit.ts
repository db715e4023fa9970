import { execFileSync } from 'node:child_process';
import { existsSync, lstatSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import fc from 'fast-check';

/** Git as it is without anyone's own settings. */
export function git(folder: string, ...args: readonly string[]): string {
  return execFileSync('git', ['-c', 'core.excludesFile=/dev/null', ...args], {
    cwd: folder,
    encoding: 'utf8',
    env: {
      PATH: process.env['PATH'] ?? '',
      HOME: folder,
      GIT_CONFIG_NOSYSTEM: '1',
      GIT_CONFIG_GLOBAL: '/dev/null',
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

/** The files that git says are there, ordered. */
export function gitFiles(folder: string): readonly string[] {
  const listed = git(folder, 'ls-files', '-co', '--exclude-standard', '-z').split('\0').filter(Boolean);
  return [...new Set(listed)].sort();
}

const NAMES = [
  'a',
  'b',
  'ab',
  'foo',
  'bar.txt',
  'x.o',
  'x.o.txt',
  'build',
  '#h',
  '!n',
  'sp ',
  'ü',
  'a-b',
  '[x]',
  'b\\c',
];

const name = fc.constantFrom(...NAMES);
const path = fc.array(name, { minLength: 1, maxLength: 4 }).map((names) => names.join('/'));

const piece = fc.constantFrom(
  ...[
    'a',
    'b',
    'ab',
    'foo',
    'bar.txt',
    'x.o',
    'build',
    '*',
    '**',
    '?',
    '*.o',
    '*.txt',
    'a*',
    '*b',
    '[ab]',
    '[!a]',
    '[a-c]*',
  ],
  ...[
    '\\#h',
    '\\!n',
    'sp\\ ',
    '[[:alpha:]]',
    '\\[x\\]',
    '**b',
    'f*o',
    '???',
    '[^b]',
    '[]x]',
    'b\\\\c',
    '[',
    'ü',
    '??',
    'x.?',
  ],
);
const pattern = fc
  .tuple(
    fc.constantFrom('', '', '!', '/', '!/', '**/', '#', ' '),
    fc.array(piece, { minLength: 1, maxLength: 3 }).map((pieces) => pieces.join('/')),
    fc.constantFrom('', '', '', '/', '/**', '/*', ' ', '  ', '\t', '\r', '\\'),
  )
  .map((parts) => parts.join(''));
const ignoreText = fc.array(pattern, { minLength: 1, maxLength: 6 }).map((lines) => lines.join('\n'));

/** A generated tree: files, and ignore files by the folder that they stand in. */
export interface GeneratedTree {
  readonly files: readonly string[];
  readonly ignores: readonly (readonly [folder: string, text: string])[];
  readonly exclude: string;
}

export const generatedTree: fc.Arbitrary<GeneratedTree> = fc.record({
  files: fc.array(path, { minLength: 3, maxLength: 25 }),
  ignores: fc.array(fc.tuple(fc.oneof(fc.constant(''), path), ignoreText), { maxLength: 4 }),
  exclude: fc.oneof(fc.constant(''), ignoreText),
});

/** Writes a generated tree; what does not fit beside what is there is left out. */
export function writeTree(folder: string, { files, ignores, exclude }: GeneratedTree): void {
  const write = (file: string, text: string): void => {
    const place = join(folder, file);
    for (let above = dirname(place); above !== folder; above = dirname(above))
      if (existsSync(above) && !lstatSync(above).isDirectory()) return;
    if (existsSync(place)) return;
    mkdirSync(dirname(place), { recursive: true });
    writeFileSync(place, text);
  };
  for (const file of files) write(file, file);
  for (const [where, text] of ignores) write(join(where, '.gitignore'), text);
  rmSync(join(folder, '.git/info/exclude'), { force: true });
  write('.git/info/exclude', exclude);
}
