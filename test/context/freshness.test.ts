import { describe, expect, it } from 'vitest';
import { packFrames } from '../../src/runtime/memory/pack-frames.ts';
import { contextBench } from './context-bench.ts';

const FILES = { 'src/a/one.txt': 'one', 'src/a/two.txt': 'two', 'docs/plan.txt': 'plan' };
const WRITER = { agent: 'user', by: 'me' };

/** Notes on two files, and the folders above them synthesized. */
async function noted() {
  const bench = await contextBench(FILES);
  const { api, clock } = bench;
  const put = async (node: string, content: string) => {
    clock.advance(1_000);
    return (await api.putFrame({ node, type: 'note', content, ...WRITER })).frame.id;
  };
  await put('src/a/one.txt', 'One is one.');
  await put('src/a/two.txt', 'Two is two.');
  const synthesize = (node: string) => {
    clock.advance(1_000);
    return api.synthesize({ node, type: 'note', recursive: true, ...WRITER });
  };
  await synthesize('src');
  const regenerate = (node: string) => {
    clock.advance(1_000);
    return api.regenerate({ node, recursive: true, dryRun: false, models: false, ...WRITER });
  };
  /** Changes a file and scans; answers with the time of the scan. */
  const change = async (path: string): Promise<number> => {
    clock.advance(60_000);
    bench.write(path, `changed at ${clock.now()}`);
    await bench.scan();
    return clock.now();
  };
  return { ...bench, put, synthesize, regenerate, change };
}

/** What a head of `src` or `src/a` must say after the note of one.txt is outdated. */
const restsOn = (since: number) => ({
  restsOnStale: {
    count: 1,
    since,
    heads: [{ path: 'src/a/one.txt', type: 'note', state: 'stale', since }],
  },
});

describe('a head that rests on an outdated one', () => {
  it('names the outdated head and since when, before and after its own regeneration', async () => {
    const { api, change, regenerate } = await noted();
    expect(await api.getHead({ node: 'src' })).toMatchObject({ stale: false, state: 'fresh' });
    const since = await change('src/a/one.txt');
    expect(await api.getHead({ node: 'src/a' })).toMatchObject({ state: 'stale', ...restsOn(since) });
    await regenerate('src');
    await change('docs/plan.txt');
    for (const node of ['src/a', 'src'])
      expect(await api.getHead({ node })).toMatchObject({
        stale: true,
        state: 'rests_on_stale',
        ...restsOn(since),
      });
  });

  it('is fresh again once the outdated note is rewritten and its folders are regenerated', async () => {
    const { api, change, regenerate, put } = await noted();
    await change('src/a/one.txt');
    await regenerate('src');
    await put('src/a/one.txt', 'One has changed.');
    await regenerate('src');
    const { restsOnStale, state } = await api.getHead({ node: 'src' });
    expect([state, restsOnStale]).toEqual(['fresh', undefined]);
  });

  it('is counted and listed by status and report, by the same names', async () => {
    const { api, change, regenerate } = await noted();
    const since = await change('src/a/one.txt');
    await regenerate('src');
    const status = await api.status();
    expect(status.heads).toEqual({
      fresh: 1,
      stale: 1,
      rests_on_stale: 2,
      invalid: 0,
      gone: 0,
      not_checked: 0,
    });
    const report = await api.report({});
    for (const [name, value] of Object.entries(status)) expect(report).toHaveProperty(name, value);
    expect(report.byType).toMatchObject([{ type: 'note', stale: 1, rests_on_stale: 2 }]);
    expect(report.notFresh).toEqual([
      { path: 'src', type: 'note', state: 'rests_on_stale', ...restsOn(since) },
      { path: 'src/a', type: 'note', state: 'rests_on_stale', ...restsOn(since) },
      { path: 'src/a/one.txt', type: 'note', state: 'stale' },
    ]);
  });

  it('is marked in compositions, views, lists and children', async () => {
    const { api, change, regenerate } = await noted();
    const since = await change('src/a/one.txt');
    await regenerate('src');
    const mark = { head: true, state: 'rests_on_stale', ...restsOn(since) };
    const { frames } = await api.compose({ node: 'src/a/two.txt', sources: ['parent'], agent: 'user' });
    expect(frames).toMatchObject([{ path: 'src/a', ...mark }]);
    expect((await api.getNode({ node: 'src', agent: 'user' })).frames[0]).toMatchObject(mark);
    expect(await api.listFrames({ node: 'src' })).toMatchObject([mark, { head: false }]);
    const { head: _, ...childMark } = mark;
    expect((await api.children({ node: 'src', limit: 10 })).items[0]?.heads).toMatchObject([childMark]);
  });

  it('is marked in packs and counts less', async () => {
    const { services, change, regenerate } = await noted();
    const source = packFrames(services);
    const ask = async () =>
      (await source.candidates({ goal: 'look into src/a/', vars: {}, limit: 20 })).find(({ text }) =>
        text.startsWith('src/a ('),
      );
    const fresh = await ask();
    const since = await change('src/a/one.txt');
    await regenerate('src');
    const resting = await ask();
    expect(fresh?.note).toBeUndefined();
    expect(resting?.note).toBe(
      `rests on what is stale: src/a/one.txt since ${new Date(since).toISOString()}`,
    );
    expect(resting?.score).toBe((fresh?.score ?? 0) / 2);
    expect(await source.read?.(resting as NonNullable<typeof resting>)).toBe(resting?.text);
  });

  it('names a head that was marked invalid, since the time of the mark', async () => {
    const { api, clock, regenerate } = await noted();
    clock.advance(5_000);
    await api.invalidate({ node: 'src/a/two.txt', recursive: false, ...WRITER });
    const since = clock.now();
    await regenerate('src');
    expect(await api.getHead({ node: 'src' })).toMatchObject({
      state: 'rests_on_stale',
      restsOnStale: { heads: [{ path: 'src/a/two.txt', state: 'invalid', since }] },
    });
  });

  it('does not rest on a deleted file once it is regenerated', async () => {
    const { api, root, scan, regenerate } = await noted();
    const { rmSync } = await import('node:fs');
    rmSync(`${root}/src/a/one.txt`);
    await scan();
    expect(await api.getHead({ node: 'src/a' })).toMatchObject({
      state: 'stale',
      restsOnStale: { heads: [{ path: 'src/a/one.txt', state: 'gone' }] },
    });
    await regenerate('src');
    expect(await api.getHead({ node: 'src' })).toMatchObject({ state: 'fresh' });
  });
});

describe('the difference between two scans', () => {
  it('has the changed heads and the new frames', async () => {
    const { api, change, put } = await noted();
    await change('docs/plan.txt');
    const [before] = await api.roots(1);
    const old = (await api.getHead({ node: 'src/a/two.txt' })).head?.id;
    const added = await put('src/a/two.txt', 'Two is two, said again.');
    const first = await put('docs', 'About the documents.');
    await change('src/a/one.txt');
    const [after] = await api.roots(1);
    const diff = await api.diff(before?.root ?? '', after?.root ?? '');
    expect(diff.heads).toEqual([
      { path: 'docs', type: 'note', after: first },
      {
        path: 'src/a/one.txt',
        type: 'note',
        before: expect.any(String),
        after: expect.any(String),
        stale: true,
      },
      { path: 'src/a/two.txt', type: 'note', before: old, after: added },
    ]);
    expect(diff.frames.map(({ id }) => id)).toEqual([added, first]);
    const back = await api.diff(after?.root ?? '', before?.root ?? '');
    expect(back.heads).toContainEqual({ path: 'src/a/two.txt', type: 'note', before: added, after: old });
  });

  it('reaches to now for the newest scan, and ends with an older one', async () => {
    const { api, change, put, regenerate } = await noted();
    const [zero] = await api.roots(1);
    await change('docs/plan.txt');
    const [one] = await api.roots(1);
    const early = await put('docs/plan.txt', 'The plan.');
    const [roots] = [await api.roots(5)];
    expect((await api.diff(zero?.root ?? '', one?.root ?? '')).frames.map(({ id }) => id)).toContain(early);
    await change('src/a/one.txt');
    const [two] = await api.roots(1);
    expect((await api.diff(zero?.root ?? '', one?.root ?? '')).frames.map(({ id }) => id)).not.toContain(
      early,
    );
    await regenerate('src');
    const { heads } = await api.diff(one?.root ?? '', two?.root ?? '');
    expect(heads.map(({ path }) => path)).toEqual(['docs/plan.txt', 'src', 'src/a', 'src/a/one.txt']);
    expect(roots).toHaveLength(2);
  });
});

describe('names of nodes', () => {
  it('may be absolute inside the workspace, escaped as Oka prints them, quoted, or in another Unicode form', async () => {
    const names = ['with space.txt', 'quo"te.txt', "it's.txt", 'tab\there.txt', 'back\\slash.txt', 'é.txt'];
    const { api, root } = await contextBench(Object.fromEntries(names.map((name) => [`d/${name}`, name])));
    const pathOf = async (node: string) => (await api.getNode({ node, agent: 'user' })).node.path;
    const stored = names.map((name) => `d/${name.replaceAll('\\', '\\\\')}`);
    for (const [i, name] of names.entries()) {
      expect(await pathOf(`d/${name}`)).toBe(stored[i]);
      expect(await pathOf(`${root}/d/${name}`)).toBe(stored[i]);
      expect(await pathOf(`./d/../d/${stored[i]?.slice(2)}`)).toBe(stored[i]);
    }
    expect(await pathOf('d/tab\\there.txt')).toBe('d/tab\there.txt');
    expect(await pathOf('d/tab\\u{9}here.txt')).toBe('d/tab\there.txt');
    expect(await pathOf('d/with\\ space.txt')).toBe('d/with space.txt');
    expect(await pathOf('"d/quo\\"te.txt"')).toBe('d/quo"te.txt');
    expect(await pathOf('d/\\u00e9.txt')).toBe('d/é.txt');
    expect(await pathOf('d/e\u0301.txt')).toBe('d/é.txt');
    expect(await pathOf(root)).toBe('');
    await expect(pathOf(`${root}-other/d`)).rejects.toMatchObject({ code: 'context.node_unknown' });
    await expect(pathOf('../d')).rejects.toMatchObject({ code: 'context.node_unknown' });
  });
});

it('empty input makes no frame', async () => {
  const { api, ledger } = await noted();
  const { seq } = await ledger.events.head();
  for (const content of ['', ' \n\t '])
    await expect(
      api.putFrame({ node: 'docs', type: 'note', content, agent: 'user', by: 'me' }),
    ).rejects.toMatchObject({ code: 'context.invalid', message: expect.stringContaining('empty') });
  expect((await ledger.events.head()).seq).toBe(seq);
});

describe('an edit that no scan has seen', () => {
  it('is told by the head, the lists, the dry run, the counts and the pack', async () => {
    const { api, services, write } = await noted();
    write('src/a/one.txt', 'one, and more');
    expect(await api.getHead({ node: 'src/a/one.txt' })).toMatchObject({ stale: true, state: 'stale' });
    expect(await api.listFrames({ node: 'src/a/one.txt' })).toMatchObject([{ state: 'stale' }]);
    expect(await api.status()).toMatchObject({ heads: { fresh: 1, stale: 3 } });
    const order = { node: '.', recursive: true, dryRun: true, models: false, ...WRITER };
    expect((await api.regenerate(order)).regenerated.map(({ path }) => path).sort()).toEqual([
      'src',
      'src/a',
    ]);
    const [first] = await packFrames(services).candidates({
      goal: 'look at src/a/one.txt',
      vars: {},
      limit: 1,
    });
    expect(first).toMatchObject({ note: 'stale: the file changed after this was written' });
    write('src/a/one.txt', 'one');
    expect(await api.getHead({ node: 'src/a/one.txt' })).toMatchObject({ stale: false, state: 'fresh' });
  });
});
