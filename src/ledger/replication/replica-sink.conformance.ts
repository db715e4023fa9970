import { describe, expect, it } from 'vitest';
import type { MirrorRecord } from '../mirror-line.ts';
import { nextBatch, workspaceId } from './next-batch.ts';
import { Outbox } from './outbox.ts';
import type { ReplicaSink } from './ports.ts';
import { NOTES, note, TestLedger } from './replication-kit.conformance.ts';
import type { ReplicaBatch } from './types.ts';
import { verifyReplica } from './verify-replica.ts';

const { signal } = new AbortController();
const START = { seq: 0, hash: '' };
let seeds = 100;

/** Requirements for every sink. `make` opens one that folds `NOTES`; it may contain other workspaces. */
export function replicaSinkConformance(name: string, make: () => ReplicaSink | Promise<ReplicaSink>): void {
  const prepare = async () => {
    seeds += 1;
    const [ledger, sink] = [new TestLedger(seeds), await make()];
    return {
      ledger,
      sink,
      outbox: new Outbox({ source: ledger, sink, limits: { events: 4, bytes: 100_000 } }),
    };
  };
  const batchOf = async (ledger: TestLedger, after = START): Promise<ReplicaBatch> =>
    (await nextBatch(ledger, { workspace: (await workspaceId(ledger)) as string, after })) as ReplicaBatch;
  const has = async (sink: ReplicaSink, ledger: TestLedger): Promise<readonly MirrorRecord[]> =>
    (await sink.read?.((await workspaceId(ledger)) as string, 0, 1_000, signal)) ?? [];

  describe(`${name} as a sink of replication`, () => {
    it('reports position 0 for an unknown workspace', async () => {
      const { sink } = await prepare();
      expect(await sink.position('f'.repeat(32), signal)).toEqual(START);
    });

    it('has exactly the content of the ledger after everything is shipped', async () => {
      const { ledger, sink, outbox } = await prepare();
      await ledger.append('a', note('1', 'plain'), note('2', 'nul \u0000, quote \' " \\ and ü 🦉 \u202e'));
      await ledger.append('b\u0000 "quoted"', { type: 'thing.happened', data: { n: 1.5e-7, big: 2 ** 53 } });
      await ledger.fill(9);
      await outbox.shipAll(signal);
      expect(await sink.position((await workspaceId(ledger)) as string, signal)).toEqual(await ledger.head());
      if (sink.read) expect(await has(sink, ledger)).toEqual(await ledger.read(0, 1_000));
      const report = await verifyReplica({ source: ledger, sink }, signal);
      expect(report).toMatchObject({ ok: true, behind: 0, faults: [] });
    });

    it('stores a repeated batch once', async () => {
      const { ledger, sink } = await prepare();
      await ledger.fill(3);
      const batch = await batchOf(ledger);
      expect(await sink.ship(batch, signal)).toEqual(batch.head);
      expect(await sink.ship(batch, signal)).toEqual(batch.head);
      expect(await sink.tally(batch.workspace, signal)).toMatchObject({ events: 3, archived: 0 });
    });

    it('rejects a batch after a gap and reports its position', async () => {
      const { ledger, sink } = await prepare();
      await ledger.fill(2);
      const first = await batchOf(ledger);
      await ledger.fill(4, 'more');
      const second = await batchOf(ledger, first.head);
      expect(await sink.ship(second, signal)).toEqual(START);
      await sink.ship(first, signal);
      expect(await sink.ship(second, signal)).toEqual(second.head);
    });

    it('rejects a batch of another history', async () => {
      const { ledger, sink } = await prepare();
      await ledger.fill(2);
      const batch = await batchOf(ledger);
      await sink.ship(batch, signal);
      await ledger.fill(1);
      const next = await batchOf(ledger, batch.head);
      const foreign = { ...next, after: { ...next.after, hash: '0'.repeat(64) } };
      expect(await sink.ship(foreign, signal)).toEqual(batch.head);
      expect(await sink.tally(batch.workspace, signal)).toMatchObject({ events: 2 });
    });

    it('erases content that a tombstone names; a late repetition does not restore it', async () => {
      const { ledger, sink, outbox } = await prepare();
      await ledger.append('notes', note('1', 'kept'), note('2', 'to be erased'));
      const withContent = await batchOf(ledger);
      await outbox.shipAll(signal);
      await ledger.erase({ stream: 'notes', index: 1 });
      await outbox.shipAll(signal);
      await sink.ship(withContent, signal);
      const text = JSON.stringify(await has(sink, ledger));
      expect(text).not.toContain('to be erased');
      if (sink.read) expect(text).toContain('kept');
      expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: true, faults: [] });
    });

    it('stores only the positions of an archived stream, whether or not it had its events', async () => {
      const { ledger, sink, outbox } = await prepare();
      await ledger.fill(3, 'early');
      await outbox.shipAll(signal);
      await ledger.fill(3, 'late');
      await ledger.archive('early');
      await ledger.archive('late');
      await ledger.fill(1, 'early');
      await outbox.shipAll(signal);
      expect(await sink.tally((await workspaceId(ledger)) as string, signal)).toMatchObject({
        events: 3,
        archived: 6,
      });
    });

    it('isolates workspaces', async () => {
      const [one, two] = [await prepare(), await prepare()];
      await one.ledger.fill(3);
      await two.ledger.fill(5);
      await one.outbox.shipAll(signal);
      await new Outbox({ source: two.ledger, sink: one.sink }).shipAll(signal);
      for (const { ledger } of [one, two])
        expect(await verifyReplica({ source: ledger, sink: one.sink }, signal)).toMatchObject({
          ok: true,
          behind: 0,
        });
    });

    it('stays usable after a cancelled request', async () => {
      const { ledger, sink, outbox } = await prepare();
      await ledger.fill(2);
      await expect(outbox.shipAll(AbortSignal.abort())).rejects.toThrow();
      await outbox.shipAll(signal);
      expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: true, behind: 0 });
    });

    it('folds tables together with the events', async () => {
      const { ledger, sink, outbox } = await prepare();
      await ledger.append('notes', note('1', 'one'), note('1', 'one again'), note('2', 'two \u0000'));
      await ledger.append('notes', { type: 'note.marked', data: { id: '1' } }, note('3', 'three'));
      await ledger.append('notes', { type: 'note.dropped', data: { id: '2' } });
      await outbox.shipAll(signal);
      const tally = await sink.tally((await workspaceId(ledger)) as string, signal);
      if (tally?.rows) expect(tally.rows).toEqual({ [NOTES.name]: 2 });
    });
  });
}
