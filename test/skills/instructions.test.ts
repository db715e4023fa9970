import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect, test } from 'vitest';
import { readInstructions } from '../../src/adapters/workspace/index.ts';
import { OkaError } from '../../src/kernel/index.ts';
import { Agents } from '../../src/runtime/agents/agents.ts';
import { tempFolder } from '../support/temp-folder.ts';

function folderWith(files: Readonly<Record<string, string>>): string {
  const root = tempFolder();
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(root, path)), { recursive: true });
    writeFileSync(join(root, path), text);
  }
  return root;
}

test('returns the AGENTS.md of the workspace and of every folder on the path, the nearest last', async () => {
  const root = folderWith({
    'AGENTS.md': 'all',
    'packages/a/AGENTS.md': 'a',
    'packages/a/src/main.ts': '',
    'packages/b/AGENTS.md': 'b',
  });
  expect(await readInstructions(root, join(root, 'packages/a/src'))).toEqual([
    { path: 'AGENTS.md', text: 'all', truncated: false },
    { path: 'packages/a/AGENTS.md', text: 'a', truncated: false },
  ]);
  expect((await readInstructions(root)).map(({ path }) => path)).toEqual(['AGENTS.md']);
});

test('returns nothing if there is none, and only the workspace’s own for a folder outside it', async () => {
  expect(await readInstructions(folderWith({ 'AGENTS.md': ' \n' }))).toEqual([]);
  const outside = folderWith({ 'AGENTS.md': 'other' });
  expect(await readInstructions(folderWith({ 'AGENTS.md': 'own' }), outside)).toMatchObject([
    { text: 'own' },
  ]);
});

test('reads the beginning of a file that is too long, without half a character', async () => {
  const root = folderWith({ 'AGENTS.md': `x${'ü'.repeat(60_000)}` });
  const [found] = await readInstructions(root);
  expect(found?.truncated).toBe(true);
  expect(found?.text).toBe(`x${'ü'.repeat(32_767)}`);
});

test('follows a link inside the workspace, and none that leads out of it or into a protected folder', async () => {
  const root = folderWith({ 'GUIDE.md': 'guide', 'a/x': '', 'b/x': '', '.oka/config.json': '{}' });
  const secret = folderWith({ 'secret.txt': 'secret' });
  symlinkSync(join(root, 'GUIDE.md'), join(root, 'AGENTS.md'));
  symlinkSync(join(secret, 'secret.txt'), join(root, 'a/AGENTS.md'));
  symlinkSync(join(root, '.oka/config.json'), join(root, 'b/AGENTS.md'));
  const paths = async (folder: string) =>
    (await readInstructions(root, join(root, folder))).map(({ path, text }) => [path, text]);
  expect(await paths('a')).toEqual([['AGENTS.md', 'guide']]);
  expect(await paths('b')).toEqual([['AGENTS.md', 'guide']]);
});

test('returns no instructions of an untrusted workspace', async () => {
  const agents = new Agents({
    workspace: folderWith({ 'AGENTS.md': 'obey' }),
    requireTrust: () => {
      throw new OkaError('config.not_trusted', 'no');
    },
    toolNames: async () => [],
  });
  await expect(agents.instructions()).rejects.toMatchObject({ code: 'config.not_trusted' });
  await expect(agents.load('anton')).rejects.toMatchObject({ code: 'config.not_trusted' });
});
