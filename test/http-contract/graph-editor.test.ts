import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Json } from '../../src/api/index.ts';
import { type LivedInWorkspace, openLivedInWorkspace } from './lived-in-workspace.ts';

let place: LivedInWorkspace;
beforeAll(async () => {
  place = await openLivedInWorkspace();
}, 60_000);
afterAll(() => place.close());

/** The same graph under another id, with other fields. */
const graph = (id: string, change: object = {}): Json =>
  ({ ...place.graph, id, ...change }) as unknown as Json;

describe('a graph that is not in a file', () => {
  it('is validated, with fixes of simple findings', async () => {
    const { graphs } = place.api;
    expect(await graphs.check({ definition: graph('new') })).toMatchObject({ valid: true, diagnostics: [] });
    const [start, write, end] = place.graph.nodes;
    const nodes = [start, { ...write, next: 'ent', wat: 1 }, { node_id: 'x', type: 'tol', next: 'end' }, end];
    const { valid, diagnostics } = await graphs.check({
      definition: graph('new', { nodes, start: 'strat' }),
    });
    expect(valid).toBe(false);
    const fixes = diagnostics.flatMap(({ code, fix }) => (fix ? [[code, fix.pointer, fix.value]] : []));
    expect(fixes).toEqual(
      expect.arrayContaining([
        ['graph.unknown_field', '/nodes/1/wat', undefined],
        ['graph.unknown_node_type', '/nodes/2/type', 'tool'],
      ]),
    );
    const later = await graphs.check({
      definition: graph('new', { nodes: [start, { ...write, next: 'ent' }, end], start: 'strat' }),
    });
    expect(later.diagnostics.map(({ fix }) => fix?.value)).toEqual(expect.arrayContaining(['start', 'end']));
  });

  it.each([null, 7, 'x', [], {}, { nodes: 7 }, { nodes: [null] }])(
    'is refused with findings if it is %j',
    async (definition) => {
      const { valid, diagnostics } = await place.api.graphs.check({ definition });
      expect(valid).toBe(false);
      expect(diagnostics.length).toBeGreaterThan(0);
    },
  );
});

describe('saving a graph', () => {
  it('writes a new file, keeps replaced versions, and lists them with the newest first', async () => {
    const { graphs } = place.api;
    const first = await graphs.save({ graph: 'made', definition: graph('made') });
    expect(first).toMatchObject({ valid: true, path: '.oka/graphs/made.json', diff: [] });
    const { revision } = first;
    const second = await graphs.save({
      graph: 'made',
      revision,
      definition: graph('made', { name: 'Other' }),
    });
    expect(second.definition).toMatchObject({ name: 'Other', version: 2 });
    expect(second.diff).not.toEqual([]);
    expect(await graphs.show('made')).toMatchObject({ revision: second.revision });
    const versions = await graphs.versions('made');
    expect(versions.map((one) => [one.revision, one.version, one.current])).toEqual([
      [second.revision, '2', true],
      [revision, '1', false],
    ]);
    expect(await graphs.version('made', revision)).toMatchObject({ definition: { name: 'Hello' } });
    await expect(graphs.version('made', 'none')).rejects.toMatchObject({ code: 'graph.unknown_version' });
  });

  it('of the same content changes nothing', async () => {
    const { graphs } = place.api;
    const { revision } = await graphs.save({ graph: 'same', definition: graph('same') });
    const again = await graphs.save({ graph: 'same', revision, definition: graph('same') });
    expect(again).toMatchObject({ revision, diff: [] });
    expect(await graphs.versions('same')).toHaveLength(1);
  });

  it('is refused where another editor was faster', async () => {
    const { graphs } = place.api;
    const { revision } = await graphs.save({ graph: 'shared', definition: graph('shared') });
    const save = (name: string) =>
      graphs.save({ graph: 'shared', revision, definition: graph('shared', { name }) });
    const results = await Promise.allSettled([save('a'), save('b'), save('c')]);
    expect(results.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    for (const result of results)
      if (result.status === 'rejected')
        expect(result.reason).toMatchObject({
          code: 'graph.changed',
          message: expect.stringContaining('Load it again'),
        });
    await expect(graphs.save({ graph: 'shared', definition: graph('shared') })).rejects.toMatchObject({
      code: 'graph.changed',
    });
  });

  it('of an invalid graph, or under another id, writes nothing', async () => {
    const { graphs } = place.api;
    await expect(graphs.save({ graph: 'bad', definition: { id: 'bad' } })).rejects.toMatchObject({
      code: 'graph.invalid',
    });
    await expect(graphs.save({ graph: 'one', definition: graph('two') })).rejects.toMatchObject({
      code: 'graph.invalid',
    });
    for (const name of ['bad', 'one', 'two'])
      await expect(graphs.show(name)).rejects.toMatchObject({ code: 'graph.unknown' });
  });

  it('keeps the approval of a schedule that runs it', async () => {
    const { graphs, trust } = place.api;
    const { revision } = await graphs.show('hello');
    await graphs.save({ graph: 'hello', revision, definition: graph('hello', { name: 'Hello again' }) });
    const { items } = await trust.show();
    expect(items.map(({ kind, state }) => [kind, state])).toEqual([['schedule', 'approved']]);
  });
});
