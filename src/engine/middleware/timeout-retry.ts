import { backoffMs, type Clock, OkaError, type Random, toFailure } from '../../kernel/index.ts';
import type { CallWatch, WatchedCall } from '../call-watch.ts';
import type { Awaitable, Middleware, ToolCall, ToolOutcome } from '../middleware.ts';
import { mayRepeat, needsIntent } from '../tool.ts';

const DEFAULT_TIMEOUT_MS = 120_000;
const PAUSES = { firstMs: 200, longestMs: 10_000 };

type Next = () => Awaitable<ToolOutcome>;

/** Bounds each attempt in time; tries again after transient failures, only where trying again is harmless. */
export function timeoutAndRetry(clock: Clock, random: Random, watch: CallWatch): Middleware {
  const attempt = (call: ToolCall, next: Next): Awaitable<ToolOutcome> => {
    call.notes.attempts += 1;
    let answer: Awaitable<ToolOutcome>;
    try {
      answer = next();
    } catch (error) {
      answer = failed(error);
    }
    if (!(answer instanceof Promise)) return settle(call, next, answer);
    return new Promise((resolve) => {
      const goOn = (outcome: ToolOutcome): void => resolve(settle(call, next, outcome));
      new Attempt(call, clock, watch, goOn).waitFor(answer);
    });
  };

  const settle = (call: ToolCall, next: Next, outcome: ToolOutcome): Awaitable<ToolOutcome> =>
    mayTryAgain(call, outcome) ? tryAgain(call, next, outcome) : outcome;

  const tryAgain = async (call: ToolCall, next: Next, outcome: ToolOutcome): Promise<ToolOutcome> => {
    const pause = backoffMs(call.notes.attempts, PAUSES, random);
    await new Promise<void>((resolve) => clock.callAt(clock.now() + pause, resolve));
    return call.context.signal.aborted ? outcome : attempt(call, next);
  };

  return { name: 'timeout_retry', onTool: attempt };
}

function mayTryAgain(call: ToolCall, outcome: ToolOutcome): boolean {
  return (
    outcome.kind === 'failure' &&
    outcome.failure.transient === true &&
    mayRepeat(call.tool) &&
    call.notes.attempts <= call.retriesLeft
  );
}

/** One attempt under way. It is over when its answer comes, or when that is late. */
class Attempt implements WatchedCall {
  readonly deadline: number;
  readonly #call: ToolCall;
  readonly #timeoutMs: number;
  readonly #watch: CallWatch;
  readonly #goOn: (outcome: ToolOutcome) => void;

  constructor(call: ToolCall, clock: Clock, watch: CallWatch, goOn: (outcome: ToolOutcome) => void) {
    this.#call = call;
    this.#timeoutMs = call.decision.timeoutMs ?? call.tool.timeoutMs ?? DEFAULT_TIMEOUT_MS;
    this.deadline = clock.now() + this.#timeoutMs;
    this.#watch = watch;
    this.#goOn = goOn;
  }

  waitFor(answer: Promise<ToolOutcome>): void {
    this.#watch.add(this);
    answer.then(
      (outcome) => this.#take(outcome),
      (error: unknown) => this.#take(failed(error)),
    );
  }

  #take(outcome: ToolOutcome): void {
    if (this.#watch.remove(this)) this.#goOn(outcome);
  }

  onLate(): void {
    const late = timedOut(this.#call, this.#timeoutMs);
    this.#call.abort(late);
    this.#goOn(failed(late));
  }

  onLook(): void {
    this.#call.look();
  }
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
