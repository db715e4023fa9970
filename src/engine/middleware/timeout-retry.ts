import { backoffMs, type Clock, OkaError, type Random, toFailure } from '../../kernel/index.ts';
import type { CallWatch, WatchedCall } from '../call-watch.ts';
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
        await new Promise<void>((resolve) => clock.callAt(clock.now() + pause, resolve));
        if (call.context.signal.aborted) return outcome;
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
