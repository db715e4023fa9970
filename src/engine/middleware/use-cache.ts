import { digestOfJson } from '../../kernel/index.ts';
import type { Middleware } from '../middleware.ts';
import type { Cache } from '../ports.ts';
import { mayRepeat } from '../tool.ts';

/** Answers cacheable calls from the cache and fills it. Equal tool, version and input share an entry; failures have none. */
export function useCache(cache: Cache): Middleware {
  return {
    name: 'cache',
    async onTool(call, next) {
      const { tool, input, notes } = call;
      if (!tool.annotations.cacheable || !mayRepeat(tool)) return next();
      const key = digestOfJson({ tool: tool.name, version: tool.version, input });
      const known = await cache.get(key);
      if (known !== undefined) return { kind: 'output', output: known };
      const outcome = await next();
      // Another run would get the cached output without the mark of untrusted content.
      const isTrusted = !call.reads?.some(({ untrusted }) => untrusted !== undefined);
      if (outcome.kind === 'output' && notes.altered === undefined && isTrusted)
        await cache.set(key, { tool: tool.name, output: outcome.output });
      return outcome;
    },
  };
}
