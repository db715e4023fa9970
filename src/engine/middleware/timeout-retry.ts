import { backoffMs, type Clock, OkaError, type Random, toFailure, waitUntil } from '../../kernel/index.ts';
import type { Middleware, ToolCall, ToolOutcome } from '../middleware.ts';
import { mayRepeat, needsIntent } from '../tool.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const PAUSES = { firstMs: 200, longestMs: 10_000 };

/** Limits each attempt in time, and retries transient failures of calls that may be repeated. */
export function timeoutAndRetry(clock: Clock, random: Random, watch: CallWatch): Middleware {
  return {
    name: 'timeout_retry',
    async onTool(call, next) {
      for (;;) {
        call.notes.attempts += 1;
        const outcome = await withinTimeLimit(call, next, clock, watch);
        if (!canRetry(call, outcome)) return outcome;
        const pause = backoffMs(call.notes.attempts, PAUSES, random);
        await waitUntil(clock, clock.now() + pause, []);
        if (call.context.signal.aborted) return outcome;
        noteRetry(call, outcome, pause);
      }
    },
  };
}

/** The outcome of one attempt; after the timeout a failure, and the handler's signal aborts. */
function withinTimeLimit(
  call: ToolCall,
  next: () => Promise<ToolOutcome>,
  clock: Clock,
  watch: CallWatch,
): Promise<ToolOutcome> {
  const timeoutMs = call.decision.timeoutMs ?? call.tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return new Promise((resolve) => {
    const attempt: WatchedCall = {
      deadline: clock.now() + timeoutMs,
      onLate: () => {
        const late = timedOut(call, timeoutMs);
        call.abort(late);
        resolve(failed(late));
      },
      onPoll: call.checkCancelled,
    };
    watch.add(attempt);
    void next()
      .catch(failed)
      .then((outcome) => {
        if (watch.remove(attempt)) resolve(outcome);
      });
  });
}

function canRetry(call: ToolCall, outcome: ToolOutcome): boolean {
  return (
    outcome.kind === 'failure' &&
    outcome.failure.transient === true &&
    mayRepeat(call.tool) &&
    call.notes.attempts <= call.retriesLeft
  );
}

function noteRetry({ notes, tool }: ToolCall, outcome: ToolOutcome, pause: number): void {
  if (outcome.kind !== 'failure') return;
  const { code, message } = outcome.failure;
  const [subject, attempt, waitMs] = [tool.name, notes.attempts, Math.round(pause)];
  notes.recovered ??= [];
  notes.recovered.push({ kind: 'retry', subject, attempt, waitMs, code, message });
}

/** When a non-repeatable effect times out, its outcome is unknown. */
function timedOut(call: ToolCall, timeoutMs: number): OkaError {
  const unknown = needsIntent(call.tool) && !mayRepeat(call.tool);
  return new OkaError(
    unknown ? 'engine.effect_unknown' : 'engine.tool_timeout',
    `${call.tool.name} did not answer within ${timeoutMs} ms${unknown ? ', so it is unknown whether it acted' : ''}.`,
    { data: { tool: call.tool.name, timeoutMs }, transient: !unknown },
  );
}

function failed(error: unknown): ToolOutcome {
  return { kind: 'failure', failure: toFailure(error, 'engine.tool_failed') };
}

const POLL_INTERVAL_MS = 250;

/** A call in flight: its deadline, and callbacks for a missed deadline and for each poll. */
interface WatchedCall {
  readonly deadline: number;
  onLate(): void;
  onPoll(): void;
}

/** Watches all calls in flight with one timer, so that a fast call needs no timer of its own. */
export class CallWatch {
  readonly #clock: Clock;
  readonly #calls = new Set<WatchedCall>();
  #armedFor = Number.POSITIVE_INFINITY;
  #disarm: (() => void) | undefined;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  add(call: WatchedCall): void {
    this.#calls.add(call);
    if (this.#armedFor > call.deadline || this.#armedFor === Number.POSITIVE_INFINITY) this.#arm();
  }

  /** False when `onLate` was already called. */
  remove(call: WatchedCall): boolean {
    return this.#calls.delete(call);
  }

  #arm(): void {
    this.#disarm?.();
    let at = this.#clock.now() + POLL_INTERVAL_MS;
    for (const call of this.#calls) at = Math.min(at, call.deadline);
    this.#armedFor = at;
    this.#disarm = this.#clock.callAt(at, this.#poll, { background: true });
  }

  #poll = (): void => {
    this.#armedFor = Number.POSITIVE_INFINITY;
    this.#disarm = undefined;
    const now = this.#clock.now();
    for (const call of this.#calls) {
      if (call.deadline <= now) {
        this.#calls.delete(call);
        call.onLate();
      } else call.onPoll();
    }
    if (this.#calls.size > 0) this.#arm();
  };
}
