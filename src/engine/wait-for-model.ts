// Owns: whether and how long a run waits for a model that is rate limited or overloaded. Does not own: recording the wait.
import { backoffMs, isOkaError, OkaError, type Random } from '../kernel/index.ts';
import type { ParkRequest } from './middleware.ts';
import type { RunState } from './run-state.ts';

const PAUSES = { firstMs: 5_000, longestMs: 300_000 };
/** A server that asks for no pause at all would be called in a loop. */
const SHORTEST_PAUSE_MS = 1_000;

/** The reason of an error that says that the provider is busy; undefined for other errors. */
function busyReason(error: unknown): string | undefined {
  const reason = isOkaError(error) ? error.data['busy'] : undefined;
  return typeof reason === 'string' ? reason : undefined;
}

/**
 * The wait of a run after a planner failed because its model is busy: the pause that the provider requests, or exponential
 * back-off. Returns the error to fail with if the run does not wait for models, or if the wait would exceed its limits.
 */
export function waitForModel(
  error: unknown,
  run: RunState,
  { now, random }: { readonly now: number; readonly random: Random },
): Extract<ParkRequest, { for: 'time' }> | { readonly failed: unknown } {
  const why = busyReason(error);
  const { wait_ms: mayWait, wall_ms: wall = Number.POSITIVE_INFINITY } = run.limits;
  if (why === undefined || !isOkaError(error) || mayWait === undefined) return { failed: error };
  const asked = error.data['retryAfterMs'];
  const attempt = run.busy?.step === run.step ? run.busy.attempts + 1 : 1;
  const pause =
    typeof asked === 'number' ? Math.max(asked, SHORTEST_PAUSE_MS) : backoffMs(attempt, PAUSES, random);
  const waited = run.used.wait_ms ?? 0;
  const active = run.activeMs + (run.claimedAt === undefined ? 0 : now - run.claimedAt);
  // A run that may wait longer than it may work does not count the wait as work.
  const fitsWall = mayWait > wall || active + waited + pause <= wall;
  if (waited + pause <= mayWait && fitsWall)
    return { for: 'time', at: now + pause, why, busy: { waitMs: pause } };
  const limit = fitsWall ? `wait_ms, ${seconds(mayWait)}` : `wall_ms, ${seconds(wall)}`;
  const message = `${error.message} The run has waited ${seconds(waited)}; waiting ${seconds(pause)} more would exceed its limit (${limit}).`;
  const { code, data, transient } = error;
  return { failed: new OkaError(code, message, { data, transient, cause: error }) };
}

function seconds(ms: number): string {
  return `${Math.round(ms / 1_000)} s`;
}
