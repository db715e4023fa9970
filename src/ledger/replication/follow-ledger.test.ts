import { describe, expect, it } from 'vitest';
import { type Clock, OkaError } from '../../kernel/index.ts';
import { type FailedAttempt, followLedger } from './follow-ledger.ts';
import { MemoryReplica } from './memory-replica.ts';
import { Outbox } from './outbox.ts';
import { randomFrom, TestLedger } from './replication-kit.conformance.ts';
import { retryDelayMs } from './retry-plan.ts';
import { verifyReplica } from './verify-replica.ts';

const DAY_MS = 86_400_000;

/** A clock that jumps to the next timer as soon as the process is idle. */
class SelfAdvancingClock implements Clock {
  #now = 0;

  now(): number {
    return this.#now;
  }

  callAt(at: number, callback: () => void): () => void {
    const timer = setImmediate(() => {
      this.#now = Math.max(this.#now, at);
      callback();
    });
    return () => clearImmediate(timer);
  }
}

class DownUntil extends MemoryReplica {
  tries = 0;
  readonly #isUp: () => boolean;

  constructor(isUp: () => boolean) {
    super();
    this.#isUp = isUp;
  }

  override async position(workspace: string) {
    this.tries += 1;
    if (!this.#isUp()) throw new OkaError('replication.unreachable', 'down.', { transient: true });
    return super.position(workspace);
  }
}

describe('followLedger', () => {
  it('retries a sink that is down for three days, then ships every event', async () => {
    const [clock, ledger, ending] = [new SelfAdvancingClock(), new TestLedger(), new AbortController()];
    const sink = new DownUntil(() => clock.now() > 3 * DAY_MS);
    const failed: FailedAttempt[] = [];
    await ledger.fill(30);
    await followLedger({
      outbox: new Outbox({ source: ledger, sink, limits: { events: 7, bytes: 100_000 } }),
      clock,
      random: randomFrom(3),
      signal: ending.signal,
      renewLease: async () => true,
      onFailure: (tried) => {
        failed.push(tried);
        if (failed.length === 5) void ledger.fill(30, 'meanwhile');
      },
      onShipped: ({ position }) => {
        if (position.seq === 60) ending.abort();
      },
    });
    const waits = failed.map(({ nextTryAt }, i) => nextTryAt - (failed[i - 1]?.nextTryAt ?? 0));
    expect(Math.max(...waits)).toBeLessThanOrEqual(300_000);
    // At most once every two and a half minutes, after the first few.
    expect(sink.tries).toBeLessThan((3 * DAY_MS) / 150_000 + 10);
    const { signal } = new AbortController();
    expect(await verifyReplica({ source: ledger, sink }, signal)).toMatchObject({ ok: true, behind: 0 });
  });

  it('ships nothing while another process holds the lease, then takes over', async () => {
    const [clock, ledger, ending] = [new SelfAdvancingClock(), new TestLedger(), new AbortController()];
    await ledger.fill(3);
    const sink = new MemoryReplica();
    let waited = 0;
    await followLedger({
      outbox: new Outbox({ source: ledger, sink }),
      clock,
      random: randomFrom(3),
      signal: ending.signal,
      renewLease: async () => clock.now() >= 60_000,
      onWaiting: () => {
        waited += 1;
      },
      onFailure: () => undefined,
      onShipped: () => ending.abort(),
    });
    expect(waited).toBe(1);
    expect(clock.now()).toBeGreaterThanOrEqual(60_000);
  });

  it('stops immediately on abort, even while it waits', async () => {
    const ending = new AbortController();
    const never: Clock = { now: () => 0, callAt: () => () => undefined };
    const following = followLedger({
      outbox: { shipAll: async () => Promise.reject(new Error('down')) },
      clock: never,
      random: randomFrom(3),
      signal: ending.signal,
      renewLease: async () => true,
      onFailure: () => setImmediate(() => ending.abort()),
      onShipped: () => undefined,
    });
    await expect(following).resolves.toBeUndefined();
  });
});

describe('retryDelayMs', () => {
  const delay = (failures: number, transient: boolean, chance: number): number =>
    retryDelayMs({ failures, transient }, { next: () => chance, hex: () => '' });

  it('doubles up to five minutes, with jitter down to half', () => {
    expect([1, 2, 3, 9, 10, 1_000].map((failures) => delay(failures, true, 0.999_999_9))).toEqual([
      1_000, 2_000, 4_000, 256_000, 300_000, 300_000,
    ]);
    expect(delay(3, true, 0)).toBe(2_000);
  });

  it('waits longest after permanent errors', () => {
    expect(delay(1, false, 0)).toBe(150_000);
  });
});
