import { describe, expect, it, onTestFinished } from 'vitest';
import type { RegenerateAnswer, RegenerateOnChangeRequest } from '../../src/api/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { contextBench, madeUpModel } from './context-bench.ts';

const FILES = { 'src/a/one.txt': '1', 'src/b/two.txt': '2', 'docs/plan.txt': '3' };

async function opened() {
  const kit = await contextBench(FILES, systemClock);
  const { api } = kit;
  const by = 'me';
  for (const path of Object.keys(FILES))
    await api.putFrame({ node: path, type: 'note', content: `about ${path}`, agent: 'user', by });
  await api.synthesize({ node: '.', type: 'note', recursive: true, agent: 'user', by });
  /** Watches, with the way to wait for what is told. */
  const watch = async (more: Partial<RegenerateOnChangeRequest> = {}) => {
    const stop = new AbortController();
    const told: RegenerateAnswer[] = [];
    const troubles: string[] = [];
    let isReady = false;
    let wake = (): void => undefined;
    const ended = api.watch({
      by,
      signal: stop.signal,
      onReady: () => {
        isReady = true;
        wake();
      },
      onChange: () => undefined,
      onWarning: (what) => troubles.push(what),
      regenerate: { node: '.', models: false, agent: 'user', ...more },
      onRegenerated: (answer) => {
        told.push(answer);
        wake();
      },
    });
    onTestFinished(async () => {
      stop.abort();
      await ended.catch(() => undefined);
    });
    const until = async (isSo: () => boolean): Promise<void> => {
      while (!isSo()) {
        const woken = new Promise<void>((resolve) => {
          wake = resolve;
        });
        await Promise.race([woken, ended]);
      }
    };
    await until(() => isReady);
    const paths = (): string[] => told.flatMap(({ regenerated }) => regenerated.map(({ path }) => path));
    return { told, troubles, until, paths, stop, ended };
  };
  return { ...kit, watch };
}

describe('a watch that regenerates', () => {
  it('regenerates the frames above a change, and no others', async () => {
    const { watch, write, api } = await opened();
    const { until, paths, told, troubles } = await watch();
    write('src/a/one.txt', 'changed');
    await until(() => paths().includes(''));
    expect(paths().toSorted()).toEqual(['', 'src', 'src/a']);
    expect(told.map(({ cost }) => cost.modelCalls)).toEqual([0]);
    expect(troubles).toEqual([]);
    const { notFresh } = await api.report({});
    expect(notFresh.filter(({ state }) => state === 'stale')).toEqual([
      { path: 'src/a/one.txt', type: 'note', state: 'stale' },
    ]);
    const resting = notFresh.filter(({ state }) => state === 'rests_on_stale');
    expect(resting.map(({ path }) => path)).toEqual(['', 'src', 'src/a']);
  });

  it('stays within its node', async () => {
    const { watch, write } = await opened();
    const { until, paths } = await watch({ node: 'src' });
    write('docs/plan.txt', 'changed');
    write('src/b/two.txt', 'changed');
    await until(() => paths().includes('src'));
    expect(paths().toSorted()).toEqual(['src', 'src/b']);
  });

  it('starts with the changes made while no watch ran', async () => {
    const { watch, write } = await opened();
    write('src/a/one.txt', 'changed before');
    const { until, paths } = await watch();
    await until(() => paths().includes(''));
    expect(paths().toSorted()).toEqual(['', 'src', 'src/a']);
  });

  it('asks models only on request, and then within its limit', async () => {
    const { watch, write, api, models } = await opened();
    let asked = 0;
    models.set(
      undefined,
      madeUpModel('house', () => `answer ${++asked}`),
    );
    for (const node of ['src/a/one.txt', 'src/b/two.txt'])
      await api.generate({ node, prompt: 'What is it?', type: 'summary', agent: 'user' });
    const without = await watch();
    write('src/a/one.txt', 'changed');
    await without.until(() => without.told.some(({ skipped }) => skipped.length > 0));
    expect(without.told.flatMap(({ skipped }) => skipped)).toMatchObject([
      { path: 'src/a/one.txt', type: 'summary', why: 'it needs a model' },
    ]);
    expect(asked).toBe(2);
    without.stop.abort();
    await without.ended;
    write('src/b/two.txt', 'changed');
    const bounded = await watch({ models: true, maxModelCalls: 1 });
    await bounded.until(() => bounded.told.length > 0);
    expect(asked).toBe(3);
    expect(bounded.told[0]).toMatchObject({ cost: { modelCalls: 1 }, skipped: [{ type: 'summary' }] });
  });

  it('refuses to start for an agent that may not synthesize, and for a missing node', async () => {
    const { watch } = await opened();
    await expect(watch({ agent: 'reader' })).rejects.toMatchObject({ code: 'context.not_allowed' });
    await expect(watch({ node: 'nowhere' })).rejects.toMatchObject({ code: 'context.node_unknown' });
  });
});
