import { expect, test } from 'vitest';
import type { ValidateAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { Workspace } from './oka-process.ts';

const NODES = 10_000;

/** A chain of steps, with a condition at each hundredth that may skip ahead. */
function chain(): object[] {
  const nodes: object[] = [{ node_id: 'start', type: 'start', next: 'n1' }];
  for (let i = 1; i < NODES - 1; i++) {
    const next = i === NODES - 2 ? 'end' : `n${i + 1}`;
    const ahead = i + 50 < NODES - 2 ? `n${i + 50}` : 'end';
    nodes.push(
      i % 100 === 0
        ? {
            node_id: `n${i}`,
            type: 'typed_condition',
            left: '{{last.n}}',
            operator: 'gt',
            right: i,
            if_true: ahead,
            if_false: next,
          }
        : { node_id: `n${i}`, type: 'transform', expression: '{"n": n + 1}', next },
    );
  }
  return [...nodes, { node_id: 'end', type: 'end' }];
}

test('a graph of ten thousand nodes is validated and drawn', async () => {
  const graph = { ...defineGraph(chain(), { id: 'large' }), max_steps: 20_000 };
  const place = Workspace.trusted({ files: { 'large.json': JSON.stringify(graph) } });
  const { exitCode, data } = await place.answer<ValidateAnswer>('graph', 'validate', 'large.json');
  expect({ exitCode, diagnostics: data.diagnostics }).toEqual({ exitCode: 0, diagnostics: [] });

  for (const [format, node] of [
    ['mermaid', /^ {2}n\d+[[({>/]/gm],
    ['dot', /^ {2}n\d+ \[label=/gm],
  ] as const) {
    const { exitCode: drawn, stdout } = await place.oka('graph', 'render', 'large.json', '--format', format);
    expect(drawn).toBe(0);
    expect(stdout.match(node)).toHaveLength(NODES);
    expect(stdout).toContain('n9998');
  }
  for (const format of ['ascii', 'svg']) {
    expect(await place.refusal('graph', 'render', 'large.json', '--format', format)).toMatchObject({
      exitCode: 3,
      error: { code: 'graph.too_large_to_draw' },
    });
  }
});

test('every problem of a graph of ten thousand nodes is reported at once', async () => {
  const nodes = chain().map((node, i) => (i % 2 === 1 && i < 2_000 ? { ...node, colour: 'red' } : node));
  const graph = { ...defineGraph(nodes, { id: 'large' }), max_steps: 20_000 };
  const place = Workspace.trusted({ files: { 'large.json': JSON.stringify(graph) } });
  const { exitCode, data } = await place.answer<ValidateAnswer>('graph', 'validate', 'large.json');
  expect({ exitCode, valid: data.valid, problems: data.diagnostics.length }).toEqual({
    exitCode: 3,
    valid: false,
    problems: 1_000,
  });
});
