import { describe, expect, it } from 'vitest';
import type { Engine, RunState } from '../src/engine/index.ts';
import type { Json } from '../src/kernel/index.ts';
import { checkpointsOf } from '../src/runtime/graphs/graph-progress.ts';
import { defineGraph, graphKit } from './support/graph-kit.ts';

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };

describe('a graph run', () => {
  it('hands outputs from node to node, by name and as last', async () => {
    const { start } = graphKit();
    const run = await start(
      [
        START,
        { node_id: 'a', type: 'tool', tool: 'test.echo', args: { got: '{{input.x}}' }, next: 'b' },
        {
          node_id: 'b',
          type: 'tool',
          tool: 'test.echo',
          args: ['{{last.got}}', 'x is {{input.x}}'],
          next: 'c',
        },
        {
          node_id: 'c',
          type: 'transform',
          expression: '{"sum": $sum($nodes.b[0]), "a": $nodes.a}',
          next: 'end',
        },
        END,
      ],
      { input: { x: [1, 2] } },
    );
    expect(run.failure).toBeUndefined();
    expect(run.output).toEqual({ sum: 3, a: { got: [1, 2] } });
    expect(run.evidence.map(({ output }) => output)).toContainEqual([[1, 2], 'x is [1,2]']);
  });

  it('begins behind its start, which has given on what the run was given', async () => {
    const { start, engine } = graphKit();
    const echo = { type: 'tool', tool: 'test.echo', args: { x: '{{start.x}}', last: '{{last.x}}' } };
    const run = await start([START, { node_id: 'a', ...echo, next: 'end' }, END], { input: { x: 1 } });
    expect(run.output).toEqual({ x: 1, last: 1 });
    expect(run.visits).toMatchObject({ start: 1, a: 1, end: 1 });
    const recorded = await engine.parts.events.read(`run/${run.id}`);
    expect(recorded.map(({ type, data }) => [type, data['state'], data['to']])).toEqual([
      ['run.started', 'start', 'a'],
      ['step.completed', 'a', 'end'],
      ['run.completed', '(completed)', undefined],
    ]);
    const { timeline } = await engine.explain(run.id);
    expect(timeline.map(({ state }) => state)).toEqual(['start', 'a', 'end', '(completed)']);
    expect(checkpointsOf(recorded).map(({ step, node, last }) => [step, node, last])).toEqual([
      [0, 'a', { x: 1 }],
      [1, 'end', { x: 1, last: 1 }],
    ]);
  });

  it('has a step of its own for a start that makes something of the input', async () => {
    const { start } = graphKit();
    const own = { ...START, input: { y: '{{input.x}}' } };
    const run = await start(
      [own, { node_id: 'a', type: 'tool', tool: 'test.echo', args: '{{start.y}}', next: 'end' }, END],
      { input: { x: 1 } },
    );
    expect(run.output).toBe(1);
    expect(run.step).toBe(3);
  });

  it('is in its start when something leads back there', async () => {
    const { start } = graphKit();
    const again = { node_id: 'a', type: 'typed_condition', left: '{{run.visit}}', operator: 'lt', right: 3 };
    const nodes = [START, { ...again, if_true: 'start', if_false: 'end' }, END];
    expect((await start(nodes, { input: 1 })).visits).toMatchObject({ start: 3, a: 3, end: 1 });
  });

  it('goes one of two ways, and what came before continues', async () => {
    const { start } = graphKit();
    const nodes = [
      START,
      {
        node_id: 'a',
        type: 'typed_condition',
        left: '{{last.n}}',
        operator: 'gt',
        right: 5,
        if_true: 'b',
        if_false: 'end',
      },
      { node_id: 'b', type: 'tool', tool: 'test.echo', args: { big: '{{last.n}}' }, next: 'end' },
      END,
    ];
    expect((await start(nodes, { input: { n: 9 } })).output).toEqual({ big: 9 });
    expect((await start(nodes, { input: { n: 1 } })).output).toEqual({ n: 1 });
  });

  it('loops until its condition holds, and fails at max_steps when it never does', async () => {
    const { start } = graphKit();
    const loop = (limit: number) => [
      START,
      { node_id: 'a', type: 'transform', expression: '{"n": n + 1}', next: 'check' },
      {
        node_id: 'check',
        type: 'typed_condition',
        left: '{{last.n}}',
        operator: 'gte',
        right: limit,
        if_true: 'end',
        if_false: 'a',
      },
      END,
    ];
    expect((await start(loop(7), { input: { n: 0 } })).output).toEqual({ n: 7 });
    const endless = await start(loop(1_000), { input: { n: 0 } });
    expect(endless.failure?.code).toBe('graph.max_steps');
  });

  it('remembers values from run to run, with the step that wrote them', async () => {
    const { start, state } = graphKit();
    const nodes = [
      START,
      { node_id: 'a', type: 'read_state', key: 'count', default: 0, next: 'b' },
      { node_id: 'b', type: 'transform', expression: 'value + 1', next: 'c' },
      { node_id: 'c', type: 'write_state', key: 'count', next: 'd' },
      { node_id: 'd', type: 'read_prior_runs', next: 'end' },
      { node_id: 'end', type: 'end', input: { count: '{{c.value}}', before: '{{d.count}}' } },
    ];
    const one = await start(nodes);
    expect(one.failure).toBeUndefined();
    expect(one.output).toEqual({ count: 1, before: 0 });
    expect((await start(nodes)).output).toEqual({ count: 2, before: 1 });
    expect((await state.history('g', 'count', 9)).map(({ value }) => value)).toEqual([2, 1]);
  });

  it('asks a person and continues with the answer', async () => {
    const { start, engine } = graphKit();
    const run = await start([
      START,
      { node_id: 'a', type: 'approval', question: 'Go on?', options: ['yes', 'no'], next: 'end' },
      END,
    ]);
    expect(run.waiting).toMatchObject({ for: 'answer', question: 'Go on?' });
    const { id } = run.waiting as { id: string };
    await engine.decide(id, { kind: 'answer', answer: 'yes' }, 'ann');
    expect((await engine.resume(run.id)).output).toEqual({ answer: 'yes', by: 'ann' });
  });

  it('runs a graph for each item, in order', async () => {
    const { start, graphs } = graphKit();
    graphs['double'] = defineGraph(
      [START, { node_id: 'a', type: 'transform', expression: '$ * 2', next: 'end' }, END],
      { id: 'double' },
    );
    const run = await start(
      [
        START,
        { node_id: 'a', type: 'map', items: '{{input}}', graph: 'double', max_items: 9, next: 'end' },
        END,
      ],
      { input: [1, 2, 3] },
    );
    expect(run.failure).toBeUndefined();
    expect(run.output).toEqual([2, 4, 6]);
  });

  it('runs another graph and takes its output', async () => {
    const { start, graphs } = graphKit();
    graphs['inner'] = defineGraph(
      [START, { node_id: 'a', type: 'transform', expression: '{"seen": $}', next: 'end' }, END],
      {
        id: 'inner',
      },
    );
    const run = await start([START, { node_id: 'a', type: 'subgraph', graph: 'inner', next: 'end' }, END], {
      input: 'x',
    });
    expect(run.output).toEqual({ seen: 'x' });
  });
});

describe('a node that fails', () => {
  const node = { node_id: 'a', type: 'tool', tool: 'test.echo', args: { v: 1 }, next: 'end' };
  const types = async (engine: Engine, run: RunState) =>
    (await engine.events(run.id)).map(({ type }) => type);

  it('is tried again when the failure may pass, recorded and after a pause', async () => {
    const { start, failing, engine, clock } = graphKit();
    failing.left = 2;
    let run = await start([START, node, END]);
    expect(run.waiting?.for).toBe('time');
    while (run.waiting?.for === 'time') {
      clock.advance(60_000);
      run = await engine.resume(run.id, { patienceMs: 0 });
    }
    expect(run.output).toEqual({ v: 1 });
    expect((await types(engine, run)).filter((type) => type === 'remediation.retried')).toHaveLength(2);
  });

  it('fails the run when the failure will not pass', async () => {
    const { start, failing } = graphKit();
    Object.assign(failing, { left: 1, transient: false });
    const run = await start([START, node, END]);
    expect(run.failure).toMatchObject({ code: 'test.busy' });
    expect(run.failure?.message).toContain('"a"');
  });

  it('goes the way that is meant for failures', async () => {
    const { start, failing, engine } = graphKit();
    Object.assign(failing, { left: 1, transient: false });
    const run = await start([
      START,
      { ...node, on_error: 'sorry' },
      { node_id: 'sorry', type: 'transform', expression: '{"sorry": true}', next: 'end' },
      END,
    ]);
    expect(run.output).toEqual({ sorry: true });
    expect(await types(engine, run)).toContain('remediation.branched');
  });

  it('continues with its fallback output in flex mode', async () => {
    const { start, failing, engine } = graphKit();
    Object.assign(failing, { left: 1, transient: false });
    const run = await start([START, { ...node, fallback_output: { v: 'none' } }, END], { mode: 'flex' });
    expect(run.output).toEqual({ v: 'none' });
    expect(await types(engine, run)).toContain('remediation.substituted');
  });
});

describe('an idempotency key', () => {
  const nodes = (key: string, args: Json = { v: 1 }) => [
    START,
    { node_id: 'a', type: 'tool', tool: 'test.act', args, idempotency_key: key, next: 'end' },
    END,
  ];

  it('makes an effect happen once over all runs of a graph', async () => {
    const { start, effects } = graphKit();
    const input = { day: 'monday' };
    const first = await start(nodes('send-{{input.day}}'), { input });
    const second = await start(nodes('send-{{input.day}}'), { input });
    expect(effects).toHaveLength(1);
    expect(second.output).toEqual(first.output);
    await start(nodes('send-{{input.day}}'), { input: { day: 'tuesday' } });
    expect(effects).toHaveLength(2);
    await start(nodes('send-{{input.day}}'), { input, id: 'another' });
    expect(effects).toHaveLength(3);
  });

  it('is refused with other arguments', async () => {
    const { start, effects } = graphKit();
    await start(nodes('{{input}}'), { input: 'k' });
    const other = await start(nodes('{{input}}', { v: 2 }), { input: 'k' });
    expect(other.failure?.code).toBe('engine.key_reused');
    expect(effects).toHaveLength(1);
  });
});

describe('a path that leads nowhere', () => {
  const nodes = [
    START,
    { node_id: 'a', type: 'tool', tool: 'test.echo', args: { v: '{{input.gone}}' }, next: 'end' },
    END,
  ];

  it('is null with a warning recorded in bounded mode', async () => {
    const { start, engine } = graphKit();
    const run = await start(nodes, { input: {} });
    expect(run.output).toEqual({ v: null });
    const { actions } = await engine.explain(run.id);
    expect(actions.some(({ rationale }) => rationale.includes('{{input.gone}}'))).toBe(true);
  });

  it('fails the run in strict mode', async () => {
    const { start } = graphKit();
    const strict = nodes.map((node) =>
      node.node_id === 'a'
        ? { ...node, timeout_seconds: 1, max_retries: 0, idempotency_key: '{{run.id}}' }
        : node,
    );
    const run = await start(strict, { input: {}, mode: 'strict' });
    expect(run.failure?.code).toBe('graph.missing_value');
  });
});

describe('a map over many items', () => {
  const item = defineGraph(
    [
      START,
      {
        node_id: 'a',
        type: 'typed_condition',
        left: '{{last}}',
        operator: 'in',
        right: [7, 50, 99],
        if_true: 'bad',
        if_false: 'b',
      },
      { node_id: 'bad', type: 'transform', expression: '$error("this one fails")', next: 'end' },
      { node_id: 'b', type: 'transform', expression: '$ * 2', next: 'end' },
      END,
    ],
    { id: 'item' },
  );
  const items = Array.from({ length: 100 }, (_, i) => i);
  const doubled = items.map((i) => i * 2);
  const over = async (on_error: string) => {
    const { start, graphs } = graphKit();
    graphs['item'] = item;
    const map = {
      node_id: 'a',
      type: 'map',
      items: '{{input}}',
      graph: 'item',
      concurrency: 16,
      on_error,
      max_items: 100,
      next: 'end',
    };
    return start([START, map, END], { input: items, budgets: { steps: 100_000, tool_calls: 100_000 } });
  };

  it('fails with the first that fails', async () => {
    const run = await over('fail');
    expect(run.failure).toMatchObject({ code: 'engine.child_failed' });
  });

  it('leaves out those that fail', async () => {
    const run = await over('skip');
    expect(run.output).toEqual(doubled.filter((_, i) => ![7, 50, 99].includes(i)));
  });

  it('gives what became of each', async () => {
    const run = await over('collect');
    const outcomes = run.output as { status: string; output?: number; failure?: { code: string } }[];
    expect(outcomes).toHaveLength(100);
    const failed = outcomes.flatMap(({ status }, i) => (status === 'failed' ? [i] : []));
    expect(failed).toEqual([7, 50, 99]);
    expect(outcomes[7]?.failure?.code).toBe('graph.expression_failed');
    expect(outcomes[8]?.output).toBe(16);
  });
});
