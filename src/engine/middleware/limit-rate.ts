import { type Clock, isAheadOfClock, waitUntil } from '../../kernel/index.ts';
import type { BuiltInMiddleware } from '../middleware.ts';
import type { RateGate, RateLimit } from '../ports.ts';
import type { ToolFace } from '../tool.ts';

/** Limits by tool name; `files.*` covers a whole family. */
export type RateLimits = Readonly<Record<string, RateLimit>>;

const DEFAULT_MAX_DELAY_MS = 30_000;

/** Delays calls above the limit; parks the run when the delay would exceed the call's timeout. */
export function limitRate(limits: RateLimits, clock: Clock, gate: RateGate): BuiltInMiddleware {
  const find = (tool: ToolFace): [string, RateLimit] | undefined => {
    const family = `${tool.name.split('.')[0]}.*`;
    const name = limits[tool.name] ? tool.name : family;
    const limit = limits[name];
    return limit ? [name, limit] : undefined;
  };
  if (Object.keys(limits).length === 0) return { name: 'rate_limit' };
  return {
    name: 'rate_limit',
    async onDecision({ tool }, next) {
      const limit = tool && find(tool);
      if (!limit) return next();
      const at = await gate.freeAt(...limit);
      if (at - clock.now() <= (tool?.timeoutMs ?? DEFAULT_MAX_DELAY_MS)) return next();
      const why = `${limit[0]} allows ${limit[1].calls} calls in ${limit[1].intervalMs} ms`;
      return { kind: 'park', waiting: { for: 'time', at, why } };
    },
    async onTool(call, next) {
      const limit = find(call.tool);
      if (!limit) return next();
      const at = await gate.take(...limit);
      if (at > clock.now()) await waitUntil(clock, at, []);
      return next();
    },
  };
}

/** When the next call may be made, from the times of those before, oldest first. */
export function nextFree(taken: readonly number[], { calls, intervalMs }: RateLimit, now: number): number {
  return taken.length < calls ? now : Math.max(now, (taken[taken.length - calls] as number) + intervalMs);
}

/** The times that still count. Those further ahead than any waiting call were recorded while the clock was wrong. */
export function countedCalls(taken: readonly number[], { intervalMs }: RateLimit, now: number): number[] {
  return taken.filter((at) => at > now - intervalMs && !isAheadOfClock(at, now + intervalMs));
}

/** Counts the calls of this process only. */
export class MemoryRateGate implements RateGate {
  readonly #taken = new Map<string, number[]>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  freeAt(name: string, limit: RateLimit): number {
    const now = this.#clock.now();
    return nextFree(countedCalls(this.#taken.get(name) ?? [], limit, now), limit, now);
  }

  take(name: string, limit: RateLimit): number {
    const at = this.freeAt(name, limit);
    this.#taken.set(name, [...countedCalls(this.#taken.get(name) ?? [], limit, this.#clock.now()), at]);
    return at;
  }
}
