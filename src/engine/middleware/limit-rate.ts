import { type Clock, isAheadOfClock, waitUntil } from '../../kernel/index.ts';
import type { BuiltInMiddleware } from '../middleware.ts';
import type { ToolFace } from '../tool.ts';

/** At most `calls` calls in any `intervalMs`. */
export interface RateLimit {
  readonly calls: number;
  readonly intervalMs: number;
}

/** Limits by tool name; `files.*` covers a whole family. */
export type RateLimits = Readonly<Record<string, RateLimit>>;

const DEFAULT_MAX_DELAY_MS = 30_000;

/** Delays calls above the limit; parks the run when the delay would exceed the call's timeout. */
export function limitRate(limits: RateLimits, clock: Clock): BuiltInMiddleware {
  const taken = new Map<string, number[]>();
  const find = (tool: ToolFace): [string, RateLimit] | undefined => {
    const family = `${tool.name.split('.')[0]}.*`;
    const name = limits[tool.name] ? tool.name : family;
    const limit = limits[name];
    return limit ? [name, limit] : undefined;
  };
  const freeAt = (name: string, limit: RateLimit): number => {
    const now = clock.now();
    // Calls further ahead than any waiting call were recorded while the clock was wrong.
    const recent = (taken.get(name) ?? []).filter(
      (at) => at > now - limit.intervalMs && !isAheadOfClock(at, now + limit.intervalMs),
    );
    taken.set(name, recent);
    return recent.length < limit.calls
      ? now
      : (recent[recent.length - limit.calls] as number) + limit.intervalMs;
  };
  if (Object.keys(limits).length === 0) return { name: 'rate_limit' };
  return {
    name: 'rate_limit',
    checkDecision({ tool }) {
      const limit = tool && find(tool);
      if (!limit) return undefined;
      const at = freeAt(...limit);
      if (at - clock.now() <= (tool?.timeoutMs ?? DEFAULT_MAX_DELAY_MS)) return undefined;
      const why = `${limit[0]} allows ${limit[1].calls} calls in ${limit[1].intervalMs} ms`;
      return { kind: 'park', waiting: { for: 'time', at, why } };
    },
    async onTool(call, next) {
      const limit = find(call.tool);
      if (!limit) return next();
      const at = freeAt(...limit);
      taken.get(limit[0])?.push(Math.max(at, clock.now()));
      if (at > clock.now()) await waitUntil(clock, at, []);
      return next();
    },
  };
}
