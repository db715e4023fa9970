import { describe, expect, it } from 'vitest';
import type { OpenLedger } from '../src/runtime/index.ts';
import { openForThisTest as open } from './support/open-test-ledger.ts';
import { tempFolder } from './support/temp-folder.ts';

describe('two connections on one database', () => {
  it('refuse to start a stream that the other one has started', async () => {
    const workspace = tempFolder();
    const [a, b] = [open(workspace), open(workspace)];
    const begin = { stream: 's', expectedIndex: 0, events: [{ type: 'a.b', data: {} }] };
    const other = { ...begin, stream: 'other' };
    await a.store.commit({ actor: 'one', sync: 'normal', appends: [{ ...begin, stream: 'first' }] });
    await b.store.commit({ actor: 'two', sync: 'normal', appends: [begin] });
    const late = a.store.commit({ actor: 'one', sync: 'normal', appends: [begin] });
    const beside = a.store.commit({ actor: 'one', sync: 'normal', appends: [other] });
    await expect(late).rejects.toMatchObject({ code: 'ledger.conflict', data: { actual: 1 } });
    await expect(beside).resolves.toHaveLength(1);
    expect(a.archive.verify().faults).toEqual([]);
    expect((await a.store.end('s')).index).toBe(0);
  });

  it('see each other and never use the same index', async () => {
    const workspace = tempFolder();
    const [a, b] = [open(workspace), open(workspace)];
    for (let i = 0; i < 30; i++) {
      const [one, other] = i % 2 === 0 ? [a, b] : [b, a];
      await one.store.commit({
        actor: 'one',
        sync: 'normal',
        appends: [{ stream: 's', expectedIndex: 2 * i, events: [{ type: 'a.b', data: {} }] }],
      });
      await other.store.commit({
        actor: 'two',
        sync: 'normal',
        appends: [{ stream: 's', events: [{ type: 'a.b', data: {} }] }],
      });
      await expect(
        one.store.commit({
          actor: 'one',
          sync: 'normal',
          appends: [{ stream: 's', expectedIndex: 2 * i + 1, events: [{ type: 'a.b', data: {} }] }],
        }),
      ).rejects.toMatchObject({ code: 'ledger.conflict' });
    }
    expect(a.archive.verify().faults).toEqual([]);
    expect((await b.store.head()).seq).toBe(60);
  });

  it('append to a stream that the other one started after it was missing here', async () => {
    const workspace = tempFolder();
    const [a, b] = [open(workspace), open(workspace)];
    const append = (to: OpenLedger, expectedIndex: number) =>
      to.store.commit({
        actor: 'test',
        sync: 'normal',
        appends: [{ stream: 's', expectedIndex, events: [{ type: 'a.b', data: {} }] }],
      });
    await expect(append(a, 3)).rejects.toMatchObject({ code: 'ledger.conflict' });
    await append(b, 0);
    await expect(append(a, 0)).rejects.toMatchObject({ code: 'ledger.conflict', data: { actual: 1 } });
    await append(a, 1);
    expect((await b.store.read('s')).map(({ index }) => index)).toEqual([0, 1]);
  });
});
