import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished } from 'vitest';
import { WorkspaceFiles } from '../src/adapters/files/index.ts';
import { MemoryArtifactStore, type RunId, type Tool, type ToolContext } from '../src/engine/index.ts';
import { createRedactor, isOkaError, systemClock } from '../src/kernel/index.ts';
import { builtInTools } from '../src/tools/index.ts';
import { tempFolder } from './support/temp-folder.ts';

let around: string;
let root: string;
let files: WorkspaceFiles;
let context: ToolContext;

beforeEach(() => {
  around = tempFolder();
  root = join(around, 'a');
  for (const folder of [root, join(around, 'ab')]) mkdirSync(folder);
  writeFileSync(join(around, 'secret.txt'), 'secret');
  writeFileSync(join(around, 'ab/secret.txt'), 'secret');
  writeFileSync(join(root, 'own.txt'), 'own');
  files = new WorkspaceFiles(root);
  const artifacts = new MemoryArtifactStore(systemClock);
  context = {
    runId: 'run' as RunId,
    step: 1,
    signal: new AbortController().signal,
    idempotencyKey: 'run/1',
    capabilities: { files, artifacts },
    emitArtifact: (content, about) => artifacts.put(content, about),
    record: () => undefined,
    charge: () => undefined,
    redactor: createRedactor(),
    now: () => 0,
  };
});

/** Every way in which a file tool can be pointed at a path. */
const WAYS: Readonly<Record<string, (path: string) => object>> = {
  'files.read': (path) => ({ path, max_bytes: 100 }),
  'files.list': (path) => ({ path, depth: 1, limit: 10 }),
  'files.search': (path) => ({ path, query: 'secret', limit: 10 }),
  'files.write': (path) => ({ path, content: 'overwritten' }),
  'files.edit': (path) => ({ path, old: 'secret', new: 'x', all: false }),
  'files.move': (path) => ({ from: path, to: 'taken.txt' }),
  'files.move to': (path) => ({ from: 'own.txt', to: path }),
  'files.delete': (path) => ({ path }),
};

/** Tries a path with every tool, both as the engine captures and as it acts; gives the codes of the refusals. */
async function tryEverything(path: string): Promise<ReadonlySet<string>> {
  const codes = new Set<string>();
  for (const [way, inputFor] of Object.entries(WAYS)) {
    const tool = builtInTools().find(({ name }) => name === way.split(' ')[0]) as Tool;
    for (const act of [tool.preimage, tool.handler]) {
      if (act === undefined) continue;
      try {
        await act(inputFor(path), context);
        codes.add(`${way} was let through`);
      } catch (error) {
        codes.add(isOkaError(error) ? error.code : String(error));
      }
    }
  }
  return codes;
}

function expectUntouched(): void {
  expect(readdirSync(around).sort()).toEqual(['a', 'ab', 'secret.txt']);
  expect(readdirSync(join(around, 'ab'))).toEqual(['secret.txt']);
  for (const path of ['secret.txt', 'ab/secret.txt'])
    expect(readFileSync(join(around, path), 'utf8')).toBe('secret');
  expect(readFileSync(join(root, 'own.txt'), 'utf8')).toBe('own');
}

describe('no file tool reaches', () => {
  it.each([
    '../secret.txt',
    './../secret.txt',
    'x/../../secret.txt',
    '../ab/secret.txt',
    '../a/../secret.txt',
  ])('a path above the workspace, by %s', async (path) => {
    expect(await tryEverything(path)).toEqual(new Set(['files.outside_workspace']));
    expectUntouched();
  });

  it('a path elsewhere, by an absolute path or by a folder with the same prefix', async () => {
    for (const path of [
      join(around, 'secret.txt'),
      join(around, 'ab/secret.txt'),
      `${root}b/secret.txt`,
      '/etc/hosts',
    ])
      expect(await tryEverything(path)).toEqual(new Set(['files.outside_workspace']));
    expectUntouched();
  });

  it('the target of a link, as a file, as a folder and on the way', async () => {
    symlinkSync('../secret.txt', join(root, 'file'));
    symlinkSync(around, join(root, 'folder'));
    symlinkSync('folder/ab', join(root, 'chain'));
    for (const path of ['folder/secret.txt', 'folder/ab/secret.txt', 'chain/secret.txt'])
      expect(await tryEverything(path)).toEqual(new Set(['files.outside_workspace']));
    const codes = await tryEverything('file');
    expect(codes).toContain('files.outside_workspace');
    // A link may itself be deleted or stand in the way; what it points to stays.
    expectUntouched();
  });

  it('a path with a null byte', async () => {
    for (const path of ['own.txt\0.md', '\0', '../secret.txt\0'])
      expect(await tryEverything(path)).toEqual(new Set(['files.invalid_path']));
    expectUntouched();
  });

  it('a URL, which counts as a name inside the workspace', async () => {
    const url = `file://${join(around, 'secret.txt')}`;
    await expect(files.read(url)).rejects.toMatchObject({ code: 'files.not_found' });
    await expect(files.read('file:///../../../secret.txt')).rejects.toMatchObject({
      code: 'files.outside_workspace',
    });
    expectUntouched();
  });

  it('a protected file, whether it exists or not', async () => {
    for (const path of ['.oka/config.json', '.git/hooks/pre-commit', '.git/config', 'sub/.git/config']) {
      expect(await tryEverything(path)).toEqual(new Set(['files.protected']));
      expect(existsSync(join(root, path))).toBe(false);
    }
    for (const path of ['POLICY.md', '.mcp.json']) {
      await expect(files.move('own.txt', path)).rejects.toMatchObject({ code: 'files.protected' });
      await expect(files.writeAtomic(path, 'x')).rejects.toMatchObject({ code: 'files.protected' });
      expect(existsSync(join(root, path))).toBe(false);
    }
  });
});

/** Puts a link to the outside and a real folder in the same place, in turn, as fast as it can. */
const SWAPPER = `
const { renameSync, symlinkSync, mkdirSync, writeFileSync } = require('node:fs');
const [root, outside] = process.argv.slice(1);
process.chdir(root);
const attempt = (work) => { try { work(); return true; } catch { return false; } };
let strays = 0;
const repair = () => {
  attempt(() => renameSync('place', 'stray-' + strays++));
  attempt(() => { mkdirSync('real'); writeFileSync('real/secret.txt', 'own'); });
  attempt(() => symlinkSync(outside, 'link'));
};
repair();
console.log('ready');
for (;;) {
  for (const [from, to] of [['real', 'place'], ['place', 'real'], ['link', 'place'], ['place', 'link']])
    if (!attempt(() => renameSync(from, to))) repair();
}`;

it('no file tool follows a link that is swapped in between the check and the open', async () => {
  const swapper = spawn(process.execPath, ['-e', SWAPPER, root, around], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void swapper.kill('SIGKILL'));
  await once(swapper.stdout, 'data');
  const seen = new Set<string>();
  for (let i = 0; i < 300; i++) {
    const attempts: readonly Promise<unknown>[] = [
      files.read('place/secret.txt').then(({ content }) => new TextDecoder().decode(content)),
      files.writeAtomic('place/secret.txt', 'own').then(() => 'own'),
      files.move('place/secret.txt', `place/moved-${i}`).then(() => 'own'),
      files.list('place', { depth: 1, max: 9 }).then(({ entries }) => entries.map(({ path }) => path).join()),
    ];
    for (const { status, ...settled } of await Promise.allSettled(attempts)) {
      if (status === 'fulfilled') seen.add(String((settled as { value: unknown }).value).slice(0, 40));
      else expect((settled as { reason: unknown }).reason).toMatchObject({ name: 'OkaError' });
    }
  }
  expect(swapper.exitCode).toBeNull();
  swapper.kill('SIGKILL');
  expect([...seen].filter((text) => text === 'secret' || text.includes('/ab'))).toEqual([]);
  expectUntouched();
});
