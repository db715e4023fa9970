import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compile } from '../../../test/support/build-tools.ts';
import { type Json, renderTemplate } from '../../kernel/index.ts';
import { promoteRun, type TracedAction } from './promote-run.ts';

const about = { id: 'again', name: 'Again' };

function action(tool: string, input: Json, output: Json): TracedAction {
  return { state: 'act', tool, input, output };
}

function argsOf(trace: readonly TracedAction[]): unknown[] {
  return promoteRun(trace, about).nodes.flatMap((node) => (node.type === 'tool' ? [node.args] : []));
}

describe('promoteRun', () => {
  const text = 'a text that is long enough';
  const read = action('files.read', { path: 'a.md' }, { path: 'a.md', content: text, bytes: 26 });

  it('makes a graph that compiles, one node for each call', () => {
    const graph = promoteRun([read, action('files.write', { path: 'b.md', content: text }, {}), read], about);
    expect(compile(graph).diagnostics).toEqual([]);
    expect(graph.nodes.map(({ node_id }) => node_id)).toEqual([
      'start',
      'files_read',
      'files_write',
      'files_read_2',
      'end',
    ]);
  });

  it('makes a template of a value that equals an earlier output', () => {
    const write = action('files.write', { path: 'b.md', content: text }, {});
    expect(argsOf([read, write])[1]).toEqual({ path: 'b.md', content: '{{files_read.content}}' });
  });

  it('turns whole objects and lists into templates, but no list elements, because these may differ in the next run', () => {
    const row = { id: 1, name: 'x' };
    const found = action('files.search', { query: 'x' }, { matches: [row, { id: 2 }] });
    const used = action('mail.send', { to: 'a', body: row }, {});
    expect(argsOf([found, used])[1]).toEqual({ to: 'a', body: row });
    const all = action('mail.send', { to: 'a', body: [row, { id: 2 }] }, {});
    expect(argsOf([found, all])[1]).toEqual({ to: 'a', body: '{{files_search.matches}}' });
  });

  it.each<[string, TracedAction[], Json]>([
    ['is short', [action('a', {}, { word: 'short' })], 'short'],
    ['comes from two places', [action('a', {}, { x: text, y: text })], text],
    ['was an input before', [action('a', { x: text }, { y: text })], text],
    ['is a number', [action('a', {}, { x: 123_456_789 })], 123_456_789],
    ['has a key that no path can name', [action('a', {}, { 'x.y': text })], text],
    ['is only a part of a text', [action('a', {}, { x: text })], `${text}!`],
  ])('keeps a value that %s', (_, before, value) => {
    expect(argsOf([...before, action('b', { value }, null)]).at(-1)).toEqual({ value });
  });

  it('refuses a run without calls, and inputs that would be taken for templates', () => {
    expect(() => promoteRun([], about)).toThrowError(
      expect.objectContaining({ code: 'graph.cannot_promote' }),
    );
    expect(() => argsOf([action('files.write', { content: 'Dear {{name}}' }, {})])).toThrowError(
      /files\.write/,
    );
  });

  it('reproduces the input of each call when the outputs are the same', () => {
    const json = fc.jsonValue({ maxDepth: 2 }).map((value) => JSON.parse(JSON.stringify(value)) as Json);
    const shared = fc.constantFrom<Json>('the same long text', { a: 1 }, ['x', 'y'], 'another long text');
    const value = fc.oneof(json, shared, fc.dictionary(fc.string(), fc.oneof(shared, json)));
    const trace = fc.array(fc.record({ input: value, output: value }), { minLength: 1, maxLength: 6 });
    fc.assert(
      fc.property(trace, (calls) => {
        const actions = calls.map(({ input, output }) => action('tool', input as Json, output as Json));
        fc.pre(
          !JSON.stringify(actions).includes('{{') &&
            !/__proto__|constructor|prototype/.test(JSON.stringify(actions)),
        );
        const scope: Record<string, Json> = {};
        const nodes = promoteRun(actions, about).nodes.filter((node) => node.type === 'tool');
        for (const [i, node] of nodes.entries()) {
          expect(renderTemplate(node.args as Json, scope)).toEqual(actions[i]?.input);
          scope[node.node_id] = actions[i]?.output as Json;
        }
      }),
    );
  });
});
