import { beforeAll, describe, expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { buildScanWorker, ScanProcess } from './scan-processes.ts';
import { treeKit } from './tree-kit.ts';

const files = (count: number, text: string): Record<string, string> =>
  Object.fromEntries(Array.from({ length: count }, (_, i) => [`d${i % 13}/f${i}`, `${text} ${i}`]));

describe('a death by kill -9', () => {
  beforeAll(buildScanWorker);

  it.each(['before', 'after'] as const)(
    '%s the event of a scan loses nothing and reports nothing twice',
    async (where) => {
      const kit = treeKit(tempFolder('kill-'));
      kit.write(files(60, 'first'));
      const first = await kit.scan();
      kit.write(files(30, 'other'));
      expect(await new ScanProcess(kit.workspace, where, 'scan').ended()).toBe('SIGKILL');
      expect((await kit.tree.treeStatus()).root).toBe(first);
      const last = await kit.scan();
      expect((await kit.tree.roots(10)).map(({ root }) => root)).toEqual([last, first]);
      expect((await kit.tree.diff(first, last)).changed.filter(({ kind }) => kind === 'file')).toHaveLength(
        30,
      );
      expect(await kit.tree.faults()).toEqual([]);
      expect(kit.ledger.archive.verify().faults).toEqual([]);
    },
  );

  it('in a watch leaves a tree that the next scan brings up to date', async () => {
    const kit = treeKit(tempFolder('kill-'));
    kit.write(files(20, 'first'));
    const watch = new ScanProcess(kit.workspace, 'never', 'watch');
    const ready = await watch.line();
    kit.write({ 'd1/f1': 'edited' });
    const edited = await watch.line();
    watch.kill();
    expect(await watch.ended()).toBe('SIGKILL');
    expect(edited).not.toBe(ready);
    expect((await kit.tree.treeStatus()).root).toBe(edited);
    kit.write({ 'd2/f2': 'edited too' });
    expect(await kit.scan()).not.toBe(edited);
    expect(await kit.tree.faults()).toEqual([]);
  });
});
