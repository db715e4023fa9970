import { describe, expect, it } from 'vitest';
import { packFrames } from '../../src/runtime/memory/pack-frames.ts';
import { contextBench } from './context-bench.ts';

const WRITER = { agent: 'user', by: 'me' };

describe('an edit that no scan has seen', () => {
  it('of a folder with more in it than a reading compares is told as not checked, since the last scan', async () => {
    const { api, clock, services, write, scan } = await contextBench({ 'docs/plan.txt': 'plan' });
    const put = (node: string, content: string) => api.putFrame({ node, type: 'note', content, ...WRITER });
    for (let file = 0; file < 20_050; file++) write(`many/${file % 60}/${file}.txt`, '');
    await scan();
    const since = clock.now();
    await put('many', 'About many files.');
    await put('docs/plan.txt', 'About a plan.');
    expect(await api.getHead({ node: 'many' })).toMatchObject({
      state: 'not_checked',
      uncheckedSince: since,
    });
    expect(await api.status()).toMatchObject({ heads: { not_checked: 1 } });
    const [packed] = await packFrames(services).candidates({ goal: 'look at many/.', vars: {}, limit: 1 });
    expect(packed?.note).toBe(`not checked since ${new Date(since).toISOString()}`);
    write('docs/plan.txt', 'another plan');
    write('many/3/3.txt', 'changed');
    expect(await api.getHead({ node: 'docs/plan.txt' })).toMatchObject({ state: 'stale' });
    expect(await api.getHead({ node: 'many' })).toMatchObject({ state: 'not_checked' });
  });
});
