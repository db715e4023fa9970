import fc from 'fast-check';
import { expect, it } from 'vitest';
import { actingFile } from './acting-files.ts';

it.each([
  ['AGENTS.md', 'agents'],
  ['docs/CLAUDE.md', 'agents'],
  ['docs/team.instructions.md', 'agents'],
  ['.gemini/settings.json', 'agents'],
  ['.codex/config.toml', 'agents'],
  ['sub/.mcp.json', 'agents'],
  ['.vscode/tasks.json', 'editor'],
  ['sub/.devcontainer/devcontainer.json', 'editor'],
  ['project.code-workspace', 'editor'],
  ['.envrc', 'shell'],
  ['sub/.envrc', 'shell'],
  ['.husky/pre-commit', 'hook'],
  ['.github/workflows/build.yml', 'integration'],
  ['Jenkinsfile', 'integration'],
  ['sub/.npmrc', 'package manager'],
  ['package.json', 'package manager'],
  ['pyproject.toml', 'package manager'],
  ['lib/evil.pth', 'package manager'],
  ['.unknown-tool/settings', 'hidden'],
  ['a/.unknown-tool/b/settings', 'hidden'],
  ['.unknown-rc', 'hidden'],
])('knows why %s acts', (path, words) => {
  expect(actingFile(path)).toContain(words);
});

it.each(['README.md', 'src/main.ts', 'Makefile', 'a/.eslintcache', 'docs/agents.md.txt', 'github/x.yml', ''])(
  'leaves %s alone',
  (path) => {
    expect(actingFile(path)).toBeUndefined();
  },
);

it.each([
  'agents.MD',
  'AGENTS.md.',
  'AGENTS.md ',
  'AGENTS\u200b.md',
  'ＡＧＥＮＴＳ.md',
  './.envrc',
  'a/../.unknown-rc',
  '/home/ann/project/.unknown-rc',
  'a\\.vscode\\tasks.json',
  '.VSCode./tasks.json',
  '\u2024vscode/tasks.json',
  '.\u00advscode/tasks.json',
])('sees through the spelling of %j', (path) => {
  expect(actingFile(path)).toBeDefined();
});

const MANIFEST = { name: 'shop', scripts: { test: 'vitest', postinstall: 'node build.js' } };

it.each([
  ['another version', { ...MANIFEST, version: '2.0.0' }, false],
  ['another ordinary script', { ...MANIFEST, scripts: { ...MANIFEST.scripts, test: 'jest' } }, false],
  ['a script that runs at an install', { ...MANIFEST, scripts: { ...MANIFEST.scripts, prepare: 'x' } }, true],
  ['a changed one', { ...MANIFEST, scripts: { postinstall: 'curl evil' } }, true],
  ['an unknown field', { ...MANIFEST, 'simple-git-hooks': { 'pre-commit': 'x' } }, true],
])('tells whether package.json with %s makes a package manager run something', (_, after, acts) => {
  const [before, changed] = [JSON.stringify(MANIFEST), JSON.stringify(after, null, 2)];
  expect(actingFile('web/package.json', { before, after: changed }) !== undefined).toBe(acts);
  expect(actingFile('.x/package.json', { before, after: changed })).toBeDefined();
});

it('counts a package.json that is new, or that it cannot read, by what it would start', () => {
  const quiet = JSON.stringify({ name: 'shop', scripts: { test: 'vitest' } });
  expect(actingFile('package.json', { before: undefined, after: quiet })).toBeUndefined();
  expect(actingFile('package.json', { before: quiet, after: undefined })).toBeUndefined();
  for (const after of ['{', '[]', 'null', '{"scripts": 1}', JSON.stringify(MANIFEST)])
    expect(actingFile('package.json', { before: undefined, after })).toBeDefined();
});

const plain = fc
  .stringMatching(/^[a-zA-Z0-9äß_-][a-zA-Z0-9äß_. -]{0,8}$/)
  .filter((name) => !/[. ]$/.test(name));
const hidden = plain.map((name) => `.${name}`);
const path = fc.tuple(fc.array(fc.oneof(plain, hidden), { maxLength: 5 }), fc.oneof(plain, hidden));

it('asks about every dot-file at the root and everything below a dot-folder, whatever the table says', () => {
  const isDot = (name: string): boolean => name.startsWith('.');
  fc.assert(
    fc.property(path, ([folders, file]) => {
      const acts = folders.some(isDot) || (folders.length === 0 && isDot(file));
      if (acts) expect(actingFile([...folders, file].join('/'))).toBeDefined();
    }),
    { numRuns: 2_000 },
  );
});

it('asks about nothing else than the names of its table', () => {
  const ordinary = fc.array(fc.stringMatching(/^[qxz]{1,6}$/), { minLength: 1, maxLength: 5 });
  fc.assert(
    fc.property(ordinary, fc.boolean(), (names, isHidden) => {
      const file = `${isHidden ? '.' : ''}${names.at(-1)}`;
      const folders = names.slice(0, -1);
      const expected = isHidden && folders.length === 0;
      expect(actingFile([...folders, file].join('/')) !== undefined).toBe(expected);
    }),
  );
});

it('gives every spelling of a path the same answer', () => {
  const spellings: readonly ((name: string) => string)[] = [
    (name) => name.toUpperCase(),
    (name) => `${name}. `,
    (name) => name.normalize('NFD'),
    (name) => `${name.slice(0, 1)}\u200d${name.slice(1)}`,
  ];
  fc.assert(
    fc.property(path, fc.constantFrom(...spellings), ([folders, file], spell) => {
      const names = [...folders, file];
      const isActing = actingFile(names.join('/')) !== undefined;
      expect(actingFile(names.map(spell).join('/')) !== undefined).toBe(isActing);
    }),
  );
});
