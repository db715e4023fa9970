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

const LOOK_EVERY_MS = 1_000;
const LOOK_FOR_SEAT_MS = 10_000;
const UNEXPECTED: ReplicationErrorCode = 'replication.unreachable';

/** A try that failed, and when the next one comes. */
export interface FailedTry {
  readonly failure: Failure;
  readonly failures: number;
  readonly nextTryAt: EpochMs;
}

/** What following the ledger needs. The callbacks must not throw. */
export interface FollowParts {
  readonly outbox: Pick<Outbox, 'shipAll'>;
  readonly clock: Clock;
  readonly random: Random;
  readonly signal: AbortSignal;
  /** Says that this process is still there; false while another one ships. */
  readonly keepSeat: () => boolean;
  readonly onShipped: (progress: ReplicaProgress) => void;
  /** Called after each pass over the ledger that reached its end. */
  readonly onCaughtUp?: () => void;
  readonly onFailure: (tried: FailedTry) => void;
  /** Called whenever this process begins to wait for the one that ships. */
  readonly onWaiting?: () => void;
}

/** Ships what comes until the signal aborts, whatever the sink does meanwhile. */
export async function followLedger(parts: FollowParts): Promise<void> {
  const { clock, random, signal } = parts;
  let failures = 0;
  let waiting = false;
  while (!signal.aborted) {
    let waitMs = LOOK_EVERY_MS;
    try {
      const seated = parts.keepSeat();
      if (seated) {
        await parts.outbox.shipAll(signal, onShipped);
        parts.onCaughtUp?.();
      } else waitMs = LOOK_FOR_SEAT_MS;
      if (!seated && !waiting) parts.onWaiting?.();
      waiting = !seated;
      failures = 0;
    } catch (error) {
      if (signal.aborted) return;
      failures += 1;
      const failure = toFailure(error, UNEXPECTED);
      // What nobody has foreseen may pass.
      const transient = isOkaError(error) ? error.transient : true;
      waitMs = retryDelayMs({ failures, transient }, random);
      parts.onFailure({ failure, failures, nextTryAt: clock.now() + waitMs });
    }
    await waitUntil(clock, clock.now() + waitMs, [signal]);
  }

  function onShipped(progress: ReplicaProgress): void {
    failures = 0;
    // A long way to catch up must not outlast the seat.
    parts.keepSeat();
    parts.onShipped(progress);
  }
}
