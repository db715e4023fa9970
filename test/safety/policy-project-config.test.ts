import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeConfigs } from '../../src/config/merge-configs.ts';
import { parseConfig } from '../../src/config/schema.ts';
import { nextFree } from '../../src/engine/middleware/limit-rate.ts';
import { Oka } from '../../src/runtime/index.ts';
import { tempFolder } from '../support/temp-folder.ts';

const merged = (user: object, project: object, defaults = {}) =>
  mergeConfigs(parseConfig(user, 'user'), parseConfig(project, 'project'), defaults);
const rate = (calls: number, interval_ms: number) => ({ calls, interval_ms });

describe('a project only tightens', () => {
  it('a rate limit: it cannot raise the number of calls, shorten the interval or allow a larger burst', () => {
    const limits = (user: object, project: object) =>
      merged({ rate_limits: user }, { rate_limits: project }).rateLimits;
    expect(limits({ 'http.*': rate(5, 1_000) }, { 'http.*': rate(1_000, 1_000) })).toEqual({
      'http.*': { calls: 5, intervalMs: 1_000 },
    });
    expect(limits({ 'http.*': rate(5, 1_000) }, { 'http.*': rate(5, 1) })).toEqual({
      'http.*': { calls: 5, intervalMs: 1_000 },
    });
    expect(limits({ a: rate(10, 1_000) }, { a: rate(100, 60_000) })).toEqual({
      a: { calls: 10, intervalMs: 6_000 },
    });
    expect(limits({ a: rate(10, 1_000) }, { a: rate(2, 1_000) })).toEqual({
      a: { calls: 2, intervalMs: 1_000 },
    });
    expect(limits({}, { a: rate(2, 1_000) })).toEqual({ a: { calls: 2, intervalMs: 1_000 } });
  });

  it('a rate limit of a family: one for a single tool does not replace it', () => {
    const { rateLimits } = merged(
      { rate_limits: { 'http.*': rate(5, 1_000) } },
      { rate_limits: { 'http.fetch': rate(999, 1) } },
    );
    expect(rateLimits).toEqual({ 'http.*': { calls: 5, intervalMs: 1_000 } });
  });

  it('every merged rate limit delays each call at least as long as the user’s own', () => {
    const limit = fc.record({
      calls: fc.integer({ min: 1, max: 20 }),
      interval_ms: fc.integer({ min: 1, max: 5_000 }),
    });
    fc.assert(
      fc.property(
        limit,
        limit,
        fc.array(fc.integer({ min: 0, max: 2_000 }), { maxLength: 60 }),
        (user, project, gaps) => {
          const both = merged({ rate_limits: { a: user } }, { rate_limits: { a: project } }).rateLimits['a'];
          const own = { calls: user.calls, intervalMs: user.interval_ms };
          const taken: number[] = [];
          let now = 0;
          for (const gap of gaps) {
            now += gap;
            const at = nextFree(taken, both as typeof own, now);
            expect(at).toBeGreaterThanOrEqual(nextFree(taken, own, now));
            taken.push(at);
          }
        },
      ),
      // Two bursts of the project's limit exceed the user's.
      { examples: [[{ calls: 3, interval_ms: 3 }, { calls: 2, interval_ms: 1 }, [0, 0, 0, 0]]] },
    );
  });

  it('budgets, also where only the default limits them', () => {
    const defaults = { limits: { cost_usd: 5, steps: 1_000 }, chat: { turns: 1_000 } };
    expect(
      merged({}, { limits: { cost_usd: 500, steps: 10 }, chat: { turns: 9_999 } }, defaults),
    ).toMatchObject({
      limits: { cost_usd: 5, steps: 10 },
      chat: { turns: 1_000 },
    });
    expect(merged({ limits: { cost_usd: 50 } }, { limits: { cost_usd: 500 } }, defaults).limits).toEqual({
      cost_usd: 50,
    });
    expect(merged({ daily_limits: { cost_usd: 1 } }, { daily_limits: { cost_usd: 9 } }).dailyLimits).toEqual({
      cost_usd: 1,
    });
  });

  it('no field of the merged configuration is looser than the user’s', () => {
    const user = parseConfig(
      {
        limits: { steps: 1 },
        daily_limits: { cost_usd: 1 },
        conversation_limits: { cost_usd: 1 },
        rate_limits: { a: rate(1, 1_000) },
        approval_expires_seconds: 10,
        models: { fast: { provider: 'openai', model: 'm' } },
        chat: { turns: 1 },
        sandbox: 'required',
        always_sync: true,
        retention: { runs: 'forever' },
      },
      'user',
    );
    const project = parseConfig(
      {
        limits: { steps: 99 },
        daily_limits: { cost_usd: 99 },
        conversation_limits: { cost_usd: 99 },
        rate_limits: { a: rate(99, 1) },
        approval_expires_seconds: 99_999,
        models: { fast: { provider: 'openai', model: 'theirs', base_url: 'https://theirs.test' } },
        chat: { turns: 99 },
        sandbox: 'off',
        always_sync: false,
        retention: { runs: '1h' },
      },
      'project',
    );
    const { shadowedModels, ...both } = mergeConfigs(user, project);
    expect(shadowedModels).toEqual(['fast']);
    expect(both).toEqual(user);
  });

  it.each(['prices', 'allow_private', 'installs', 'replication', 'memory'])(
    '%s is not read from a project',
    (key) => {
      expect(() => parseConfig({ [key]: {} }, 'project')).toThrow(key);
    },
  );
});

describe('the names of models', () => {
  const user = { models: { fast: { provider: 'openai', model: 'mine' } } };

  it('of the user and of providers cannot be taken', () => {
    const theirs = { provider: 'openai-compatible', model: 'theirs', base_url: 'https://theirs.test' };
    const both = merged(user, { models: { fast: theirs, 'openai/gpt-4.1': theirs, theirs } });
    expect(both.models).toMatchObject({ fast: { model: 'mine', from: 'user' }, theirs: { model: 'theirs' } });
    expect(Object.keys(both.models)).toEqual(['fast', 'theirs']);
    expect(both.shadowedModels).toEqual(['fast', 'openai/gpt-4.1']);
  });

  it('a project chooses among the user’s, and replaces no default by defining a model', () => {
    const slow = { ...user.models, slow: { provider: 'openai', model: 'slow' } };
    expect(merged({ models: slow }, { default_model: 'slow' }).defaultModel).toBe('slow');
    const theirs = { models: { theirs: { provider: 'ollama', model: 'x' } } };
    expect(merged(user, theirs).defaultModel).toBe('fast');
    expect(merged({}, theirs).defaultModel).toBe('theirs');
  });

  it('a workspace warns of a model that is not approved', async () => {
    const [workspace, home] = [tempFolder(), tempFolder()];
    writeFileSync(
      join(home, 'config.json'),
      JSON.stringify({ models: { fast: { provider: 'scripted', script: 'own.json' } } }),
    );
    mkdirSync(join(workspace, '.oka'), { recursive: true });
    const warnings: string[] = [];
    const oka = new Oka({ workspace, home, onWarning: ({ message }) => warnings.push(message) });
    try {
      await oka.init({ trust: true });
      writeFileSync(
        join(workspace, '.oka/config.json'),
        JSON.stringify({ models: { fast: { provider: 'scripted', script: 'theirs.json' } } }),
      );
      await oka.tools.call({ tool: 'files.list', input: {}, simulate: false, patienceMs: 0 });
      expect(warnings).toEqual([
        expect.stringContaining('model "fast" is new since you trusted this folder'),
      ]);
    } finally {
      await oka.close();
    }
  });
});
