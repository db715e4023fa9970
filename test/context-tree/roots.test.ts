import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { FileArtifactStore } from '../../src/adapters/files/index.ts';
import { SqlContextRoots } from '../../src/adapters/sql/index.ts';
import { changeNodeIndex } from '../../src/adapters/sqlite/index.ts';
import { fileSystemTime, scanWorkspace } from '../../src/adapters/workspace-tree/index.ts';
import { recordScan } from '../../src/context/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { treeKit } from './tree-kit.ts';

describe('the roots that scans have found', () => {
  it('can be compared with each other, forwards and backwards', async () => {
    const kit = treeKit();
    kit.write({ a: '1', 'b/c': '2', 'b/d': '3' });
    const first = await kit.scan();
    kit.write({ a: 'x', 'b/e': '4' });
    await kit.scan();
    rmSync(join(kit.workspace, 'b/c'));
    kit.write({ a: '1' });
    const last = await kit.scan();
    const there = await kit.tree.diff(first.slice(0, 12), last);
    expect(there.added.map(({ path }) => path)).toEqual(['b/e']);
    expect(there.removed.map(({ path }) => path)).toEqual(['b/c']);
    expect(there.changed.map(({ path }) => path)).toEqual(['', 'b']);
    const back = await kit.tree.diff(last, first);
    expect(back.added.map(({ path }) => path)).toEqual(['b/c']);
    expect(back.removed.map(({ path }) => path)).toEqual(['b/e']);
    expect(await kit.tree.diff(first, first)).toMatchObject({ added: [], changed: [], removed: [] });
  });

  it('are one event each, with the delta in a blob', async () => {
    const kit = treeKit();
    kit.write(Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`f${i}`, `${i}`])));
    const root = await kit.scan();
    await kit.scan();
    const events = await kit.ledger.events.read('context');
    expect(events.map(({ type, data }) => [type, data['root'], data['previous']])).toEqual([
      ['context.scanned', root, null],
    ]);
    expect(events[0]?.data).toMatchObject({ files: 50, directories: 1, nodes: 51 });
  });

  it('rejects an unknown and an ambiguous root', async () => {
    const kit = treeKit();
    kit.write({ a: '1' });
    const root = await kit.scan();
    await expect(kit.tree.diff(root, 'feed')).rejects.toMatchObject({ code: 'context.root_unknown' });
    kit.write({ a: '2' });
    await kit.scan();
    await expect(kit.tree.diff('', root)).rejects.toMatchObject({ code: 'context.root_ambiguous' });
  });

  it('names the delta whose blob is missing', async () => {
    const kit = treeKit();
    kit.write({ a: '1' });
    const first = await kit.scan();
    kit.write({ a: '2' });
    const last = await kit.scan();
    const [, event] = await kit.ledger.events.read('context');
    const digest = event?.data['delta'] as string;
    rmSync(join(kit.workspace, '.oka/objects', digest.slice(0, 2), digest.slice(2)));
    await expect(kit.tree.diff(first, last)).rejects.toMatchObject({
      code: 'context.delta_missing',
      data: { delta: digest },
    });
  });

  it('stay comparable after a crash between the ledger and the index', async () => {
    const kit = treeKit();
    kit.write({ a: '1', b: '1' });
    const first = await kit.scan();
    kit.write({ a: '2' });
    const lost = await scanWithoutEnd(kit);
    kit.write({ b: '2' });
    const last = await kit.scan();
    expect(new Set([first, lost, last]).size).toBe(3);
    expect((await kit.tree.diff(lost, last)).changed.map(({ path }) => path)).toEqual(['', 'b']);
    expect((await kit.tree.diff(first, last)).changed.map(({ path }) => path)).toEqual(['', 'a', 'b']);
    expect(await kit.tree.faults()).toEqual([]);
  });

  it('are recorded once when a crashed scan is repeated', async () => {
    const kit = treeKit();
    kit.write({ a: '1' });
    await kit.scan();
    kit.write({ a: '2' });
    const lost = await scanWithoutEnd(kit);
    expect(await kit.scan()).toBe(lost);
    expect((await kit.tree.roots(10)).map(({ root }) => root).filter((root) => root === lost)).toHaveLength(
      1,
    );
  });

  it('fold from the ledger to the same tables as live', async () => {
    const kit = treeKit();
    kit.write({ a: '1' });
    await kit.scan();
    expect(kit.ledger.archive.verify().faults).toEqual([]);
  });
});

/** A scan that tells the ledger and then is no more. */
async function scanWithoutEnd({ workspace, ledger }: ReturnType<typeof treeKit>): Promise<string> {
  const index = changeNodeIndex(join(workspace, '.oka/run/context-nodes.db'));
  if (index === undefined) throw new Error('another scan is under way');
  const now = fileSystemTime(join(workspace, '.oka/run'));
  const outcome = await scanWorkspace({ workspace, index, now });
  const roots = new SqlContextRoots(ledger.tables);
  const store = new FileArtifactStore(join(workspace, '.oka/objects'), systemClock);
  const put = async (content: Uint8Array) => (await store.put(content, { mediaType: 'test' })).digest;
  await recordScan(
    { events: ledger.events, blobs: { put, get: async () => undefined }, roots },
    outcome,
    'test',
  );
  index.end();
  return outcome.root;
}
