import { mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../src/adapters/files/index.ts';
import { PollingWatcher } from '../src/adapters/watcher/index.ts';
import { tempFolder } from './support/temp-folder.ts';

/** A workspace whose files get a time of their own with every write, however fast the writes follow. */
class Garden {
  readonly root = tempFolder();
  readonly watcher = new PollingWatcher(new WorkspaceFiles(this.root), this.root);
  #seconds = 1_700_000_000;

  write(path: string, text: string): void {
    const file = join(this.root, path);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, text);
    this.#seconds += 1;
    utimesSync(file, this.#seconds, this.#seconds);
  }

  remove(path: string): void {
    rmSync(join(this.root, path));
  }

  async paths(...roots: string[]): Promise<readonly string[]> {
    return (await this.watcher.changes(roots))?.paths ?? [];
  }
}

describe('a watcher that looks now and then', () => {
  it('only remembers what it sees first, then tells what was written, added and removed', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    garden.write('src/b.ts', 'two');
    expect(await garden.paths('docs')).toEqual([]);
    expect(await garden.paths('docs')).toEqual([]);
    garden.write('docs/a.md', 'uno');
    expect(await garden.paths('docs')).toEqual(['docs/a.md']);
    garden.write('docs/deep/c.md', 'three');
    expect(await garden.paths('docs')).toEqual(['docs/deep/c.md']);
    garden.remove('docs/a.md');
    expect(await garden.paths('docs')).toEqual(['docs/a.md']);
    garden.write('src/b.ts', 'zwei');
    expect(await garden.paths('docs')).toEqual([]);
  });

  it('tells a root within another together with it, as one change', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    await garden.paths('', 'docs');
    garden.write('docs/a.md', 'two');
    expect(await garden.paths('', 'docs')).toEqual(['docs/a.md']);
    garden.write('README.md', 'new');
    expect(await garden.paths('', 'docs')).toEqual(['README.md']);
  });

  it('takes a root that is added later as it is', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    garden.write('src/b.ts', 'two');
    await garden.paths('docs');
    expect(await garden.paths('docs', 'src')).toEqual([]);
    garden.write('src/b.ts', 'zwei');
    expect(await garden.paths('docs', 'src')).toEqual(['src/b.ts']);
    expect(await garden.paths('docs')).toEqual([]);
  });

  it('counts a file that is written again with the same content at most once', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'same');
    await garden.paths('docs');
    garden.write('docs/a.md', 'same');
    expect(await garden.paths('docs')).toEqual(['docs/a.md']);
    garden.write('docs/a.md', 'same');
    expect(await garden.paths('docs')).toEqual([]);
    garden.write('docs/new.md', 'made');
    expect(await garden.paths('docs')).toEqual(['docs/new.md']);
    garden.write('docs/new.md', 'made');
    expect(await garden.paths('docs')).toEqual([]);
  });

  it('tells a return to an earlier content from what was there before', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    await garden.watcher.changes(['docs']);
    const digests = new Set<string | undefined>();
    for (const text of ['two', 'one', 'two', 'one']) {
      garden.write('docs/a.md', text);
      digests.add((await garden.watcher.changes(['docs']))?.digest);
    }
    expect(digests.size).toBe(4);
    expect(digests).not.toContain(undefined);
  });

  it('watches a single file, also one that is not there yet', async () => {
    const garden = new Garden();
    expect(await garden.paths('list.txt')).toEqual([]);
    garden.write('list.txt', 'bread');
    expect(await garden.paths('list.txt')).toEqual(['list.txt']);
    garden.remove('list.txt');
    expect(await garden.paths('list.txt')).toEqual(['list.txt']);
  });

  it('finds the root that is meant by a path, however it is written', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    const { root, watcher } = garden;
    for (const path of ['docs', './docs/', join(root, 'docs')])
      expect(await watcher.locate(path)).toBe('docs');
    expect(await watcher.locate('.')).toBe('');
    await expect(watcher.locate('..')).rejects.toMatchObject({ code: 'files.outside_workspace' });
    await expect(watcher.locate('.oka')).rejects.toMatchObject({ code: 'files.protected' });
  });

  it('refuses a root outside the workspace', async () => {
    const { watcher } = new Garden();
    await expect(watcher.changes(['../elsewhere'])).rejects.toMatchObject({
      code: 'files.outside_workspace',
    });
  });
});
