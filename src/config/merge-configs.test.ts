import { describe, expect, it } from 'vitest';
import { mergeConfigs } from './merge-configs.ts';
import { parseConfig } from './schema.ts';
import { DEFAULT_CONFIG } from './types.ts';

describe('mergeConfigs', () => {
  it('lets a project lower a limit but not raise one', () => {
    const user = { ...DEFAULT_CONFIG, limits: { steps: 100, cost_usd: 1 } };
    const project = { ...DEFAULT_CONFIG, limits: { steps: 10, cost_usd: 50, children: 3 } };
    expect(mergeConfigs(user, project).limits).toEqual({ steps: 10, cost_usd: 1, children: 3 });
  });

  it('lets a project name itself and limit its runs, but not choose where they are executed', () => {
    const user = parseConfig({ execution: { backend: 'restate', runs_at_once: 5 } }, 'user');
    const project = parseConfig({ execution: { project: 'shop', runs_at_once: 9 } }, 'project');
    const merged = mergeConfigs(user, project).execution;
    expect(merged).toMatchObject({ backend: 'restate', project: 'shop', runsAtOnce: 5 });
    for (const execution of [{ backend: 'restate' }, { ingress: 'http://x' }, { token: { env: 'A' } }])
      expect(() => parseConfig({ execution }, 'project')).toThrow();
    expect(() => parseConfig({ execution: { project: 'Not a name' } }, 'project')).toThrow();
  });

  it('lets a project require a sandbox but not disable one', () => {
    const required = { ...DEFAULT_CONFIG, sandbox: 'required' as const };
    const off = { ...DEFAULT_CONFIG, sandbox: 'off' as const };
    expect(mergeConfigs(required, off).sandbox).toBe('required');
    expect(mergeConfigs(off, required).sandbox).toBe('required');
  });

  it('lets a project choose a model but not change private addresses', () => {
    const user = {
      ...DEFAULT_CONFIG,
      models: { fast: { provider: 'scripted', script: 'a.json' } } as const,
      defaultModel: 'fast',
      allowPrivate: ['127.0.0.1:80'],
    };
    const project = { ...DEFAULT_CONFIG, defaultModel: 'own', allowPrivate: ['10.0.0.1:80'] };
    expect(mergeConfigs(user, project)).toMatchObject({
      models: user.models,
      defaultModel: 'own',
      allowPrivate: ['127.0.0.1:80'],
    });
  });

  describe('retention', () => {
    const DAY_MS = 86_400_000;
    const merged = (user: object, project: object) =>
      mergeConfigs(parseConfig({ retention: user }, 'user'), parseConfig({ retention: project }, 'project'))
        .retention;

    it('takes the longer duration where both files set one', () => {
      expect(merged({ runs: '90d', episodes: '4w' }, { runs: '1h', episodes: '365d' })).toEqual({
        runsMs: 90 * DAY_MS,
        scheduledRunsMs: 90 * DAY_MS,
        episodesMs: 365 * DAY_MS,
      });
    });

    it('uses a duration that only one file sets', () => {
      expect(merged({ runs: '90d' }, { episodes: '30d' })).toMatchObject({
        runsMs: 90 * DAY_MS,
        episodesMs: 30 * DAY_MS,
      });
    });

    it('keeps forever what the user wants kept forever', () => {
      expect(merged({ runs: 'forever' }, { runs: '1d' }).runsMs).toBe(Number.POSITIVE_INFINITY);
    });

    it('never deletes scheduled runs earlier than the user’s file alone would', () => {
      expect(merged({ runs: '90d' }, { scheduled_runs: '1h' }).scheduledRunsMs).toBe(90 * DAY_MS);
      expect(merged({ scheduled_runs: '14d' }, { runs: '1d' })).toEqual({
        runsMs: DAY_MS,
        scheduledRunsMs: 14 * DAY_MS,
      });
      expect(merged({ runs: '90d', scheduled_runs: '14d' }, {})).toEqual({
        runsMs: 90 * DAY_MS,
        scheduledRunsMs: 14 * DAY_MS,
      });
      expect(merged({ runs: '7d', scheduled_runs: 'forever' }, {}).scheduledRunsMs).toBe(7 * DAY_MS);
    });

    it('keeps the larger number of newest runs', () => {
      expect(merged({ keep_last: 5 }, { keep_last: 50 }).keepLast).toBe(50);
      expect(merged({ keep_last: 50 }, { keep_last: 5 }).keepLast).toBe(50);
    });

    it('rejects durations without a unit, and unknown keys', () => {
      expect(() => parseConfig({ retention: { runs: '90' } }, 'user')).toThrow('90d');
      expect(() => parseConfig({ retention: { runs: 90 } }, 'user')).toThrow();
      expect(() => parseConfig({ retention: { facts: '90d' } }, 'project')).toThrow();
    });
  });
});
