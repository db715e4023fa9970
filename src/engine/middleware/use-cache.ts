import { digestOfJson } from '../../kernel/index.ts';
import type { Middleware } from '../middleware.ts';
import type { Cache } from '../ports.ts';
import { mayRepeat } from '../tool.ts';

/** Answers cacheable calls from the cache and fills it. Equal tool, version and input share an entry; failures have none. */
export function useCache(cache: Cache): Middleware {
  return {
    name: 'cache',
    async onTool({ tool, input, notes }, next) {
      if (!tool.annotations.cacheable || !mayRepeat(tool)) return next();
      const key = digestOfJson({ tool: tool.name, version: tool.version, input });
      const known = await cache.get(key);
      if (known !== undefined) return { kind: 'output', output: known };
      const outcome = await next();
      if (outcome.kind === 'output' && notes.altered === undefined)
        await cache.set(key, { tool: tool.name, output: outcome.output });
      return outcome;
    },
  };
}
