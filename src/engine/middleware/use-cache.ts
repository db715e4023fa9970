import { digestOfJson, type Json } from '../../kernel/index.ts';
import type { Middleware } from '../middleware.ts';
import type { Cache } from '../ports.ts';
import { mayRepeat, type ToolFace } from '../tool.ts';

/** Equal tool, version and input share an entry. */
function cacheKey(tool: ToolFace, input: Json): string {
  return digestOfJson({ tool: tool.name, version: tool.version, input });
}

/** Answers cacheable calls from the cache and fills it. Failures are not cached. */
export function useCache(cache: Cache): Middleware {
  return {
    name: 'cache',
    onTool(call, next) {
      if (!call.tool.annotations.cacheable || !mayRepeat(call.tool)) return next();
      const lookUp = async () => {
        const key = cacheKey(call.tool, call.input);
        const known = await cache.get(key);
        if (known !== undefined) return { kind: 'output' as const, output: known };
        const outcome = await next();
        if (outcome.kind === 'output' && call.notes.altered === undefined)
          await cache.set(key, { tool: call.tool.name, output: outcome.output });
        return outcome;
      };
      return lookUp();
    },
  };
}
