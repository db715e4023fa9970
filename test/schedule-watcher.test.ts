import { mkdirSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { WorkspaceFiles } from '../src/adapters/files/index.ts';
import { PollingWatcher, SystemWatcher, type watchFolder } from '../src/adapters/watcher/index.ts';
import { systemClock } from '../src/kernel/index.ts';
import { ManualClock } from './support/manual-clock.ts';
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

describe('a polling watcher', () => {
  it('records the first state, then reports files that were written, added and removed', async () => {
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

  it('reports a root inside another one together with it, as one change', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    await garden.paths('', 'docs');
    garden.write('docs/a.md', 'two');
    expect(await garden.paths('', 'docs')).toEqual(['docs/a.md']);
    garden.write('README.md', 'new');
    expect(await garden.paths('', 'docs')).toEqual(['README.md']);
  });

  it('takes the current state of a root that is added later as its first one', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    garden.write('src/b.ts', 'two');
    await garden.paths('docs');
    expect(await garden.paths('docs', 'src')).toEqual([]);
    garden.write('src/b.ts', 'zwei');
    expect(await garden.paths('docs', 'src')).toEqual(['src/b.ts']);
    expect(await garden.paths('docs')).toEqual([]);
  });

  it('reports a file that is rewritten with the same content at most once', async () => {
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

  it('gives a different digest when a file returns to earlier content', async () => {
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

  it('watches a single file, also one that does not exist yet', async () => {
    const garden = new Garden();
    expect(await garden.paths('list.txt')).toEqual([]);
    garden.write('list.txt', 'bread');
    expect(await garden.paths('list.txt')).toEqual(['list.txt']);
    garden.remove('list.txt');
    expect(await garden.paths('list.txt')).toEqual(['list.txt']);
  });

  it('finds the root of a path in any notation', async () => {
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

/** The system as far as it tells of changes: only when the test says so. */
class Told {
  readonly clock = new ManualClock();
  readonly watched: string[] = [];
  readonly closed: string[] = [];
  tell: (paths: readonly string[]) => void = () => undefined;

  watching(garden: Garden, watch: typeof watchFolder = this.watch): SystemWatcher {
    return new SystemWatcher({
      watcher: garden.watcher,
      workspace: garden.root,
      clock: this.clock,
      watch,
    });
  }

  readonly watch: typeof watchFolder = async (folder, { onPaths }) => {
    this.watched.push(folder);
    this.tell = onPaths;
    return { close: async () => void this.closed.push(folder) };
  };
}

describe('a watcher with system notifications', () => {
  it('scans after a notification, and not before', async () => {
    const [garden, told] = [new Garden(), new Told()];
    garden.write('docs/a.md', 'one');
    const watcher = told.watching(garden);
    expect(await watcher.changes(['docs'])).toBeUndefined();
    garden.write('docs/a.md', 'two');
    expect(await watcher.changes(['docs'])).toBeUndefined();
    let notices = 0;
    watcher.onNotice(() => {
      notices += 1;
    });
    told.tell(['a.md']);
    told.tell(['a.md']);
    told.clock.advance(100);
    expect(notices).toBe(1);
    expect((await watcher.changes(['docs']))?.paths).toEqual(['docs/a.md']);
    expect(told.watched).toEqual([join(garden.root, 'docs')]);
    await watcher.close();
    expect(told.closed).toEqual(told.watched);
  });

  it('scans after a minute in any case', async () => {
    const [garden, told] = [new Garden(), new Told()];
    garden.write('docs/a.md', 'one');
    const watcher = told.watching(garden);
    await watcher.changes(['docs']);
    garden.write('docs/a.md', 'two');
    told.clock.advance(59_000);
    expect(await watcher.changes(['docs'])).toBeUndefined();
    told.clock.advance(1_000);
    expect((await watcher.changes(['docs']))?.paths).toEqual(['docs/a.md']);
  });

  it('scans every time if the system cannot notify, or a root is not a folder', async () => {
    const [garden, told] = [new Garden(), new Told()];
    garden.write('docs/a.md', 'one');
    const deaf = told.watching(garden, () => Promise.reject(new Error('no more watches')));
    await deaf.changes(['docs']);
    garden.write('docs/a.md', 'two');
    expect((await deaf.changes(['docs']))?.paths).toEqual(['docs/a.md']);
    const watcher = told.watching(garden);
    await watcher.changes(['docs', 'list.txt']);
    garden.write('list.txt', 'bread');
    expect((await watcher.changes(['docs', 'list.txt']))?.paths).toEqual(['list.txt']);
  });

  it('detects a folder that replaces a root, and watches the new one', async () => {
    const [garden, told] = [new Garden(), new Told()];
    garden.write('docs/a.md', 'one');
    const watcher = told.watching(garden);
    await watcher.changes(['docs']);
    renameSync(join(garden.root, 'docs'), join(garden.root, 'old'));
    garden.write('docs/b.md', 'two');
    expect((await watcher.changes(['docs']))?.paths).toEqual(['docs/b.md']);
    expect(told.closed).toHaveLength(1);
    expect(told.watched).toHaveLength(2);
  });

  it('gets notifications from this system', async () => {
    const garden = new Garden();
    garden.write('docs/a.md', 'one');
    const { root: workspace, watcher: looking } = garden;
    const watcher = new SystemWatcher({ watcher: looking, workspace, clock: systemClock });
    await watcher.changes(['']);
    const noticed = new Promise<void>((resolve) => watcher.onNotice(resolve));
    garden.write('docs/a.md', 'two');
    await noticed;
    expect((await watcher.changes(['']))?.paths).toEqual(['docs/a.md']);
    await watcher.close();
  });
});
