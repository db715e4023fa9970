import { describe, expect, it } from 'vitest';
import { nextBatch, workspaceId } from './next-batch.ts';
import { note, TestLedger } from './replication-kit.conformance.ts';

const place = { workspace: 'w', after: { seq: 0, hash: '' } };

describe('nextBatch', () => {
  it('returns undefined at the end of the ledger', async () => {
    expect(await nextBatch(new TestLedger(), place)).toBeUndefined();
    expect(await workspaceId(new TestLedger())).toBeUndefined();
  });

  it('ends at the end of a transaction if possible', async () => {
    const ledger = new TestLedger();
    await ledger.append('a', note('1', 'x'), note('2', 'x'));
    await ledger.append('a', note('3', 'x'), note('4', 'x'), note('5', 'x'));
    const batch = await nextBatch(ledger, place, { events: 4, bytes: 100_000 });
    expect(batch?.head.seq).toBe(2);
  });

  it('splits a transaction that is larger than a batch', async () => {
    const ledger = new TestLedger();
    await ledger.append('a', note('1', 'x'), note('2', 'x'), note('3', 'x'));
    expect((await nextBatch(ledger, place, { events: 2, bytes: 100_000 }))?.records).toHaveLength(2);
  });

  it('respects the byte limit, but always contains at least one event', async () => {
    const ledger = new TestLedger();
    for (let i = 0; i < 3; i++) await ledger.append('a', note(String(i), 'x'.repeat(10_000)));
    expect((await nextBatch(ledger, place, { events: 10, bytes: 25_000 }))?.records).toHaveLength(2);
    expect((await nextBatch(ledger, place, { events: 10, bytes: 100 }))?.records).toHaveLength(1);
  });

  it('has equal keys only for equal content', async () => {
    const ledger = new TestLedger();
    await ledger.fill(2);
    const whole = await nextBatch(ledger, place);
    expect((await nextBatch(ledger, place))?.key).toBe(whole?.key);
    expect((await nextBatch(ledger, place, { events: 1, bytes: 1 }))?.key).not.toBe(whole?.key);
  });
});
