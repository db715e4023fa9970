import { describe, expect, it } from 'vitest';
import type { LedgerHead } from '../types.ts';
import { MemoryReplica } from './memory-replica.ts';
import { workspaceId } from './next-batch.ts';
import { Outbox } from './outbox.ts';
import { NOTES, TestLedger } from './replication-kit.conformance.ts';
import type { ReplicaBatch } from './types.ts';
import { verifyReplica } from './verify-replica.ts';

const { signal } = new AbortController();
const limits = { events: 10, bytes: 1_000_000 };

/** A replica that sometimes returns a scripted answer. */
class Unreliable extends MemoryReplica {
  readonly sent: number[] = [];
  answer: (head: LedgerHead, batch: ReplicaBatch) => LedgerHead = (head) => head;

  override async ship(batch: ReplicaBatch): Promise<LedgerHead> {
    this.sent.push(batch.head.seq);
    return this.answer(await super.ship(batch), batch);
  }
}

async function prepare(events: number) {
  const [ledger, sink] = [new TestLedger(), new Unreliable()];
  await ledger.fill(events);
  return { ledger, sink, outbox: new Outbox({ source: ledger, sink, limits }) };
}

describe('the outbox', () => {
  it('ships nothing from an empty ledger', async () => {
    const { outbox, sink } = await prepare(0);
    expect(await outbox.shipAll(signal)).toEqual({ position: { seq: 0, hash: '' }, events: 0 });
    expect(sink.sent).toEqual([]);
  });

  it('ships in batches, reads one at a time, and later ships only new events', async () => {
    const { ledger, outbox, sink } = await prepare(25);
    expect(await outbox.shipAll(signal)).toMatchObject({ events: 25 });
    expect(sink.sent).toEqual([10, 20, 25]);
    expect(ledger.largestRead).toBe(10);
    await ledger.fill(1);
    expect(await outbox.shipAll(signal)).toMatchObject({ events: 1, position: { seq: 26 } });
  });

  it('queries the position after a lost answer and ships nothing twice', async () => {
    const { ledger, outbox, sink } = await prepare(15);
    sink.answer = () => {
      sink.answer = (head) => head;
      throw new Error('connection lost after the batch was stored');
    };
    await expect(outbox.shipAll(signal)).rejects.toThrow('connection lost');
    expect(await outbox.shipAll(signal)).toMatchObject({ events: 5 });
    expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: true, behind: 0 });
  });

  it('refills a sink that was restored to an older state', async () => {
    const { ledger, outbox, sink } = await prepare(20);
    await outbox.shipAll(signal);
    await ledger.fill(1);
    const older = new MemoryReplica();
    await new Outbox({ source: upTo(ledger, 10), sink: older }).shipAll(signal);
    sink.ship = (batch) => older.ship(batch);
    sink.position = (workspace) => older.position(workspace);
    expect(await outbox.shipAll(signal)).toMatchObject({ position: { seq: 21 } });
    expect(await verifyReplica({ source: ledger, sink: older }, signal)).toMatchObject({
      ok: true,
      behind: 0,
    });
  });

  it('resumes at the position that the sink reports', async () => {
    const { ledger, outbox, sink } = await prepare(20);
    const [first] = await ledger.read(4, 1);
    const place = { seq: 5, hash: (first as { event: { chain: string } }).event.chain };
    sink.answer = () => {
      sink.answer = (head) => head;
      return place;
    };
    await expect(outbox.shipAll(signal)).resolves.toMatchObject({ position: { seq: 20 } });
  });

  it('fails when a sink accepts batches but does not advance', async () => {
    const { outbox, sink } = await prepare(5);
    sink.answer = (_, batch) => batch.after;
    await expect(outbox.shipAll(signal)).rejects.toMatchObject({
      code: 'replication.bad_answer',
      transient: true,
    });
  });

  it.each([
    ['another hash', (head: LedgerHead) => ({ ...head, hash: '0'.repeat(64) })],
    ['more than there is', (head: LedgerHead) => ({ seq: head.seq + 100, hash: head.hash })],
  ])('writes nothing to a sink that has %s', async (_, answer) => {
    const { outbox, sink } = await prepare(15);
    sink.answer = answer;
    await expect(outbox.shipAll(signal)).rejects.toMatchObject({
      code: 'replication.diverged',
      transient: false,
    });
    expect(sink.sent).toEqual([10]);
  });

  it('does not ship a copy of the ledger that diverged', async () => {
    const { ledger, outbox, sink } = await prepare(3);
    await outbox.shipAll(signal);
    const copy = new TestLedger();
    await copy.fill(3);
    expect(await workspaceId(copy)).toBe(await workspaceId(ledger));
    await ledger.fill(1, 'here');
    await outbox.shipAll(signal);
    await copy.fill(2, 'there');
    await expect(new Outbox({ source: copy, sink }).shipAll(signal)).rejects.toMatchObject({
      code: 'replication.diverged',
    });
    expect(await verifyReplica({ source: copy, sink }, signal)).toMatchObject({ ok: false });
  });
});

describe('verifyReplica', () => {
  it('distinguishes missing new events from faults', async () => {
    const { ledger, outbox, sink } = await prepare(5);
    await ledger.erase({ stream: 'notes', index: 1 });
    await new Outbox({ source: upTo(ledger, 5), sink }).shipAll(signal);
    expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: true, behind: 1 });
    await outbox.shipAll(signal);
    expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: true, behind: 0 });
  });

  it('finds changed, missing and surplus data at the sink', async () => {
    const { ledger, outbox, sink } = await prepare(5);
    await outbox.shipAll(signal);
    const whole = sink.read.bind(sink);
    sink.read = async (...range) =>
      (await whole(...range)).map((record) =>
        'event' in record && record.event.seq === 3 ? { event: { ...record.event, dataText: '{}' } } : record,
      );
    expect((await verifyReplica({ source: ledger, sink }, signal)).faults[0]?.where).toContain('seq 3');
    sink.read = async (...range) => (await whole(...range)).slice(0, -1);
    expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: false });
    sink.read = whole;
    sink.tally = async () => ({ events: 5, archived: 0, bodies: 4 });
    expect((await verifyReplica({ source: ledger, sink }, signal)).faults).toEqual([
      { where: 'bodies', what: 'the sink has 4, the ledger has 5' },
    ]);
  });
});

describe('verifyReplica on a sink that is behind', () => {
  const folded = (notes: number) => ({ rows: async () => ({ notes }), types: NOTES.types });

  it('compares rows and content unless pending events change them', async () => {
    const [ledger, sink] = [new TestLedger(), new MemoryReplica([NOTES])];
    await ledger.fill(5);
    await new Outbox({ source: ledger, sink }).shipAll(signal);
    await ledger.append('other', { type: 'thing.happened', data: {} });
    const behind = { source: ledger, sink, folded: folded(4) };
    expect(await verifyReplica(behind, signal)).toMatchObject({
      behind: 1,
      faults: [{ where: 'table notes', what: 'the sink has 5, the ledger has 4' }],
    });
    await ledger.append('notes', { type: 'note.dropped', data: { id: 'notes 1' } });
    expect(await verifyReplica(behind, signal)).toMatchObject({ ok: true, behind: 2 });
  });

  it('checks again when the sink advances meanwhile', async () => {
    const { ledger, outbox, sink } = await prepare(5);
    await outbox.shipAll(signal);
    const tally = sink.tally.bind(sink);
    sink.tally = async (workspace) => {
      sink.tally = tally;
      await ledger.fill(3);
      await outbox.shipAll(signal);
      return tally(workspace);
    };
    expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({
      ok: true,
      sink: { seq: 8 },
    });
  });
});

function upTo(ledger: TestLedger, seq: number): TestLedger {
  return Object.assign(Object.create(ledger) as TestLedger, {
    read: async (after: number, limit: number) => ledger.read(after, Math.min(limit, seq - after)),
  });
}
