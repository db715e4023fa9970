import { type Clock, OkaError, type Random, toFailure } from '../../kernel/index.ts';
import type { CallWatch } from '../call-watch.ts';
import type { Middleware, ToolCall, ToolOutcome } from '../middleware.ts';
import { mayRepeat, needsIntent } from '../tool.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const FIRST_PAUSE_MS = 200;
const LONGEST_PAUSE_MS = 10_000;

/** Bounds each attempt in time; tries again after transient failures, only where trying again is harmless. */
export function timeoutAndRetry(clock: Clock, random: Random, watch: CallWatch): Middleware {
  return {
    name: 'timeout_retry',
    onTool(call, next) {
      const first = attempt(call, next, clock, watch);
      if (!(first instanceof Promise)) return retryable(call, first) ? retry(call, next, first) : first;
      return first.then((outcome) => (retryable(call, outcome) ? retry(call, next, outcome) : outcome));
    },
  };

  async function retry(
    call: ToolCall,
    next: () => ToolOutcome | Promise<ToolOutcome>,
    failed: ToolOutcome,
  ): Promise<ToolOutcome> {
    let outcome = failed;
    for (let again = 1; retryable(call, outcome) && again <= call.retriesLeft; again++) {
      const pause = Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (again - 1)) * (0.5 + random.next() / 2);
      await new Promise<void>((resolve) => clock.callAt(clock.now() + pause, resolve));
      if (call.context.signal.aborted) return outcome;
      outcome = await attempt(call, next, clock, watch);
    }
    return outcome;
  }
}

function retryable(call: ToolCall, outcome: ToolOutcome): boolean {
  return (
    outcome.kind === 'failure' &&
    outcome.failure.transient === true &&
    mayRepeat(call.tool) &&
    call.retriesLeft > 0
  );
}

function attempt(
  call: ToolCall,
  next: () => ToolOutcome | Promise<ToolOutcome>,
  clock: Clock,
  watch: CallWatch,
): ToolOutcome | Promise<ToolOutcome> {
  call.notes.attempts += 1;
  let answer: ToolOutcome | Promise<ToolOutcome>;
  try {
    answer = next();
  } catch (error) {
    return failed(error);
  }
  if (!(answer instanceof Promise)) return answer;
  const timeoutMs = call.decision.timeoutMs ?? call.tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
  return new Promise((resolve) => {
    const onLate = (): void => {
      const late = timedOut(call, timeoutMs);
      call.abort(late);
      resolve(failed(late));
    };
    const forget = watch.add({ deadline: clock.now() + timeoutMs, onLate, onLook: call.look });
    answer.then(
      (outcome) => {
        forget();
        resolve(outcome);
      },
      (error: unknown) => {
        forget();
        resolve(failed(error));
      },
    );
  });
}

/** A late call with effects that may not be repeated leaves an outcome that nobody knows. */
function timedOut(call: ToolCall, timeoutMs: number): OkaError {
  const unknown = needsIntent(call.tool) && !mayRepeat(call.tool);
  return new OkaError(
    unknown ? 'engine.effect_unknown' : 'engine.tool_timeout',
    `${call.tool.name} did not answer within ${timeoutMs} ms${unknown ? ', so whether it acted is not known' : ''}.`,
    { data: { tool: call.tool.name, timeoutMs }, transient: !unknown },
  );
}

function failed(error: unknown): ToolOutcome {
  return { kind: 'failure', failure: toFailure(error, 'engine.tool_failed') };
}
