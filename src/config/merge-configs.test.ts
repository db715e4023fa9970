import { describe, expect, it } from 'vitest';
import { mergeConfigs } from './merge-configs.ts';
import { DEFAULT_CONFIG } from './types.ts';

describe('a project’s configuration on top of the person’s own', () => {
  it('can lower a limit and not raise one', () => {
    const user = { ...DEFAULT_CONFIG, limits: { steps: 100, cost_usd: 1 } };
    const project = { ...DEFAULT_CONFIG, limits: { steps: 10, cost_usd: 50, children: 3 } };
    expect(mergeConfigs(user, project).limits).toEqual({ steps: 10, cost_usd: 1, children: 3 });
  });

  it('can ask for a sandbox and not do away with one', () => {
    const required = { ...DEFAULT_CONFIG, sandbox: 'required' as const };
    const off = { ...DEFAULT_CONFIG, sandbox: 'off' as const };
    expect(mergeConfigs(required, off).sandbox).toBe('required');
    expect(mergeConfigs(off, required).sandbox).toBe('required');
  });

  it('chooses among models and says nothing about where packages or private addresses are', () => {
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
});
