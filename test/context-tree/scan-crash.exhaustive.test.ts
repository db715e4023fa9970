import { execFileSync } from 'node:child_process';
import { closeSync, openSync, truncateSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { buildScanWorker, ScanProcess } from './scan-processes.ts';
import { leavesOf, treeKit, writeDeep } from './tree-kit.ts';

describe('scans at length', () => {
  beforeAll(buildScanWorker);

  it('loses nothing when it dies anywhere in a scan', async () => {
    const kit = treeKit(tempFolder('kill-'));
    for (let turn = 0; turn < 40; turn++) {
      kit.write(
        Object.fromEntries(
          Array.from({ length: 800 }, (_, i) => [`d${i % 29}/e${i % 3}/f${i}`, `${turn} ${i}`]),
        ),
      );
      const child = new ScanProcess(kit.workspace, 'never', 'scan');
      await child.line();
      for (let i = 0; i < turn * 4; i++) await new Promise((resolve) => setImmediate(resolve));
      child.kill();
      await child.ended();
      expect(await kit.tree.faults()).toEqual([]);
      const root = await kit.scan();
      expect((await kit.tree.roots(1))[0]?.root).toBe(root);
    }
    expect(await kit.scan({ force: true })).toBe((await kit.tree.treeStatus()).root);
    expect(kit.ledger.archive.verify().faults).toEqual([]);
  });

  it('lets many processes scan and watch at once, with one tree as the result', async () => {
    const kit = treeKit(tempFolder('many-'));
    kit.write(Object.fromEntries(Array.from({ length: 500 }, (_, i) => [`d${i % 29}/f${i}`, `${i}`])));
    const watch = new ScanProcess(kit.workspace, 'never', 'watch');
    await watch.line();
    for (let turn = 0; turn < 10; turn++) {
      kit.write({ [`d${turn}/f${turn}`]: `edit ${turn}`, [`new${turn}/x`]: 'x' });
      const scans = [1, 2, 3].map(() => new ScanProcess(kit.workspace, 'never', 'scan'));
      for (const scan of scans) expect(await scan.ended()).toBe('0');
    }
    watch.kill();
    await watch.ended();
    const root = await kit.scan({ force: true });
    expect((await kit.tree.roots(1))[0]?.root).toBe(root);
    expect(await kit.tree.faults()).toEqual([]);
    expect(kit.ledger.archive.verify().faults).toEqual([]);
  });

  it('reads a sparse file of over 4 GB without holding it in memory', async () => {
    const kit = treeKit();
    const file = join(kit.workspace, 'sparse');
    closeSync(openSync(file, 'w'));
    const size = 4 * 1_024 ** 3 + 1;
    truncateSync(file, size);
    const before = process.memoryUsage().rss;
    await kit.scan();
    expect(process.memoryUsage().rss - before).toBeLessThan(200 * 1_024 ** 2);
    expect(await kit.tree.scanned().node('sparse')).toMatchObject({ kind: 'file', size });
  });

  it('reaches files a thousand folders deep', async () => {
    const kit = treeKit(tempFolder('deep-'));
    const path = writeDeep(kit.workspace, 1_000);
    await kit.scan();
    expect(await leavesOf(kit.tree)).toEqual([path]);
    execFileSync('rm', ['-rf', join(kit.workspace, path.slice(0, path.indexOf('/')))]);
  });

  it('changes four nodes of a tree of 50,000 files for one edit, and reads one file', async () => {
    const kit = treeKit(tempFolder('large-'));
    kit.write(
      Object.fromEntries(Array.from({ length: 50_000 }, (_, i) => [`d${i % 90}/e${i % 89}/f${i}`, `${i}`])),
    );
    await kit.scan();
    while ((await kit.tree.scan({ force: false, by: 'test' })).read > 0);
    kit.write({ 'd0/e0/f0': 'edited' });
    const edited = await kit.tree.update({ by: 'test', folders: new Set(['d0/e0']) });
    expect({ read: edited.read, changes: edited.delta.length }).toEqual({ read: 1, changes: 4 });
    expect(await kit.scan()).toBe(edited.root);
    kit.write({ 'd5/e5/f5': 'edited too', 'd5/new/a': 'new' });
    execFileSync('sh', ['-c', 'rm -r d7/e7'], { cwd: kit.workspace });
    const found = await kit.tree.scan({ force: false, by: 'test' });
    expect(found).toMatchObject({ added: 1, changed: 1 });
    expect(found.removed).toBeGreaterThan(0);
    expect(await kit.scan({ force: true })).toBe(found.root);
    expect(await kit.tree.faults()).toEqual([]);
    // So many files take longer to remove than the end of a test may take.
    execFileSync('sh', ['-c', 'rm -rf d*'], { cwd: kit.workspace });
  });
});
