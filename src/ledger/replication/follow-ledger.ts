import {
  type Clock,
  type EpochMs,
  type Failure,
  isOkaError,
  type Random,
  toFailure,
  waitUntil,
} from '../../kernel/index.ts';
import type { Outbox, ReplicaProgress } from './outbox.ts';
import { retryDelayMs } from './retry-plan.ts';
import type { ReplicationErrorCode } from './types.ts';

const POLL_INTERVAL_MS = 1_000;
const LEASE_POLL_MS = 10_000;
const UNEXPECTED: ReplicationErrorCode = 'replication.unreachable';

/** A failed attempt and the time of the next one. */
export interface FailedAttempt {
  readonly failure: Failure;
  readonly failures: number;
  readonly nextTryAt: EpochMs;
}

/** Dependencies of `followLedger`. The callbacks must not throw. */
export interface FollowParts {
  readonly outbox: Pick<Outbox, 'shipAll'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Renews this process's lease; false while another process ships. */
  readonly renewLease: () => Promise<boolean>;
  readonly onShipped: (progress: ReplicaProgress) => void;
  /** Called each time shipping reaches the end of the ledger. */
  readonly onCaughtUp?: () => void;
  readonly onFailure: (tried: FailedAttempt) => void;
  /** Called when this process starts to wait for the lease. */
  readonly onWaiting?: () => void;
}

/** Ships new events until the signal aborts, and retries when the sink fails. */
export async function followLedger(parts: FollowParts): Promise<void> {
  const { clock, random, signal } = parts;
  let failures = 0;
  let waiting = false;
  while (!signal.aborted) {
    let waitMs = POLL_INTERVAL_MS;
    try {
      const hasLease = await parts.renewLease();
      if (hasLease) {
        await parts.outbox.shipAll(signal, onShipped);
        parts.onCaughtUp?.();
      } else waitMs = LEASE_POLL_MS;
      if (!hasLease && !waiting) parts.onWaiting?.();
      waiting = !hasLease;
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const failure = toFailure(error, UNEXPECTED);
      // An unknown error may be temporary.
      const transient = isOkaError(error) ? error.transient : true;
      waitMs = retryDelayMs({ failures, transient }, random);
      parts.onFailure({ failure, failures, nextTryAt: clock.now() + waitMs });
    }
    await waitUntil(clock, clock.now() + waitMs, [signal]);
  }

  async function onShipped(progress: ReplicaProgress): Promise<void> {
    failures = 0;
    // Renews the lease during a long catch-up.
    await parts.renewLease();
    parts.onShipped(progress);
  }
}
