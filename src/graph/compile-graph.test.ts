import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Json } from '../kernel/index.ts';
import { compileGraph } from './compile-graph.ts';
import { NODE_TYPE_NAMES } from './node-types.ts';
import type { ToolDirectory } from './ports.ts';
import type { GraphDefinition } from './types.ts';

const tools: ToolDirectory = {
  find: (name) =>
    name === 'files.read'
      ? {
          name,
          idempotent: true,
          readOnly: true,
          inputSchema: () => ({
            type: 'object',
            properties: { path: { type: 'string' } },
            required: ['path'],
          }),
        }
      : undefined,
  names: () => ['files.read'],
};

const read = {
  node_id: 'read',
  type: 'tool',
  tool: 'files.read',
  args: { path: '{{input.path}}' },
  timeout_seconds: 5,
  max_retries: 1,
  next: 'end',
} as const;

function sample(change: Record<string, unknown> = {}): GraphDefinition {
  const base = {
    id: 'sample',
    name: 'Sample',
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded' },
    nodes: [{ node_id: 'start', type: 'start', next: 'read' }, read, { node_id: 'end', type: 'end' }],
  };
  return { ...base, ...change } as unknown as GraphDefinition;
}

const codes = (source: unknown, options: Partial<Parameters<typeof compileGraph>[1]> = {}): string[] =>
  compileGraph(source, { tools, ...options }).diagnostics.map(({ code }) => code);

describe('compileGraph', () => {
  it('makes a graph with its nodes, its mode and the default limit of steps', () => {
    const { graph, diagnostics } = compileGraph(sample(), { tools });
    expect(diagnostics).toEqual([]);
    expect([...(graph?.nodes.keys() ?? [])]).toEqual(['start', 'read', 'end']);
    expect(graph).toMatchObject({ mode: 'bounded', maxSteps: 36, definition: { id: 'sample' } });
    expect(
      compileGraph(sample({ nodes: sample().nodes.slice(0, 3), max_steps: 7 }), { tools }).graph?.maxSteps,
    ).toBe(7);
  });

  it('gives a small graph at least twenty steps', () => {
    const nodes = [
      { node_id: 'start', type: 'start', next: 'end' },
      { node_id: 'end', type: 'end' },
    ];
    expect(compileGraph(sample({ nodes }), { tools }).graph?.maxSteps).toBe(24);
    expect(
      compileGraph(sample({ nodes: [{ ...nodes[0], next: 'start' }] }), { tools }).graph,
    ).toBeUndefined();
  });

  it('uses bounded mode by default', () => {
    const { execution_defaults: _, ...rest } = sample();
    const { graph } = compileGraph(rest, { tools });
    expect(graph?.definition.execution_defaults).toEqual({ guarantee_mode: 'bounded' });
  });

  it('checks with the given mode, not the one of the file', () => {
    expect(codes(sample(), { mode: 'strict' })).toEqual(['graph.missing_idempotency_key']);
    expect(compileGraph(sample(), { tools, mode: 'flex' }).graph?.mode).toBe('flex');
  });

  it('hashes the definition, the mode and the graphs inside', () => {
    const hash = (source: unknown, options = {}): string | undefined =>
      compileGraph(source, { tools, ...options }).graph?.hash;
    const reordered = Object.fromEntries(Object.entries(sample()).toReversed());
    expect(hash(sample())).toBe(hash(reordered));
    const withSub = sample({
      nodes: [
        { ...sample().nodes[0], next: 'sub' },
        { node_id: 'sub', type: 'subgraph', graph: 'inner', next: 'end' },
        { node_id: 'end', type: 'end' },
      ],
    });
    const inner = (version: number) => ({ graphs: { find: () => sample({ id: 'inner', version }) } });
    const hashes = [
      hash(sample()),
      hash(sample(), { mode: 'flex' }),
      hash(sample({ version: 2 })),
      hash(withSub, inner(1)),
      hash(withSub, inner(2)),
    ];
    expect(hashes).not.toContain(undefined);
    expect(new Set(hashes).size).toBe(hashes.length);
  });

  it('keeps a frozen copy, so that a later change of the source changes nothing', () => {
    const source = sample() as unknown as { name: string; nodes: { args?: { path: string } }[] };
    const { graph } = compileGraph(source, { tools });
    source.name = 'changed';
    expect(graph?.definition.name).toBe('Sample');
    expect(Object.isFrozen(graph?.definition.nodes[1])).toBe(true);
    expect(Object.isFrozen(source.nodes)).toBe(false);
  });

  it('compiles an inner graph under the stricter of both modes, once', () => {
    const looked: string[] = [];
    const nodes = [
      { node_id: 'start', type: 'start', next: 'one' },
      { node_id: 'one', type: 'subgraph', graph: 'inner', next: 'two' },
      { node_id: 'two', type: 'map', items: [], graph: 'inner', max_items: 3, next: 'end' },
      { node_id: 'end', type: 'end' },
    ];
    const graphs = {
      find: (name: string) => {
        looked.push(name);
        return sample({ id: 'inner', execution_defaults: { guarantee_mode: 'flex' } });
      },
    };
    const { graph } = compileGraph(sample({ nodes }), { tools, graphs });
    expect(graph?.uses.get('inner')?.mode).toBe('bounded');
    expect(graph?.uses.size).toBe(1);
    expect(looked).toEqual(['inner', 'inner']);
  });

  it('stops at endlessly nested graphs', () => {
    let made = 0;
    const nest = (id: string): GraphDefinition =>
      sample({
        id,
        nodes: [
          { node_id: 'start', type: 'start', next: 'sub' },
          { node_id: 'sub', type: 'subgraph', graph: `g${made++}`, next: 'end' },
          { node_id: 'end', type: 'end' },
        ],
      });
    expect(codes(nest('outer'), { graphs: { find: nest } })).toEqual(['graph.broken_graph']);
    expect(made).toBeLessThan(50);
  });

  it('suggests the nearest name', () => {
    const suggestions = (source: unknown): (string | undefined)[] =>
      compileGraph(source, { tools }).diagnostics.map(({ suggestion }) => suggestion);
    expect(suggestions(sample({ start: 'strat' }))).toEqual(['Did you mean "start"?']);
    expect(suggestions(sample({ nodes: sample().nodes.with(1, { ...read, tool: 'files.raed' }) }))).toEqual([
      'Did you mean "files.read"?',
    ]);
    const { version: _, ...rest } = sample();
    expect(suggestions(rest)).toEqual(['Add "version": 1.']);
  });

  it('names the default limit when a cycle has no limit of its own', () => {
    const nodes = [
      { node_id: 'start', type: 'start', next: 'check' },
      {
        node_id: 'check',
        type: 'typed_condition',
        left: 1,
        operator: 'empty',
        if_true: 'start',
        if_false: 'end',
      },
      { node_id: 'end', type: 'end' },
    ];
    const { graph, diagnostics } = compileGraph(sample({ nodes }), { tools });
    expect(graph).toBeDefined();
    expect(diagnostics).toMatchObject([{ code: 'graph.cycle_without_limit', severity: 'warning' }]);
    expect(diagnostics[0]?.message).toContain('36 steps');
  });

  it('gives diagnostics in the order of the definition', () => {
    const nodes = [
      { node_id: 'start', type: 'start', next: 'reed' },
      { ...read, args: { path: 3 }, next: 'edn' },
      { node_id: 'end', type: 'end', input: '{{x}}' },
    ];
    expect(compileGraph(sample({ nodes, extra: 1 }), { tools }).diagnostics.map(({ path }) => path)).toEqual([
      '$.extra',
      '$.nodes[0].next',
      '$.nodes[1].args.path',
      '$.nodes[1].next',
      '$.nodes[2].input',
    ]);
  });

  it('refuses more nodes than a graph may have, and values that are not JSON', () => {
    expect(codes(sample({ nodes: Array.from({ length: 50_001 }, () => ({})) }))).toEqual(['graph.too_large']);
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    expect(codes(sample({ description: circle }))).toEqual(['graph.too_deep']);
    for (const value of [undefined, new Array(1), Number.NaN, () => 1, new Date(0), 1n, 'half \ud800'])
      expect(codes(sample({ description: value }))).toEqual(['graph.not_json']);
  });

  it('refuses keys that could reach a prototype, and still checks the rest', () => {
    const source = JSON.parse(
      JSON.stringify(sample()).replace('"tool":"files.read"', '"tool":"files.raed","__proto__":{"x":1}'),
    );
    expect(codes(source)).toContain('graph.refused_key');
    expect(codes(JSON.parse('{"__proto__": {"id": "x"}}'))).toContain('graph.missing_field');
  });

  it('does not take inherited members for fields', () => {
    expect(codes(Object.create(sample()))).toEqual(['graph.not_json']);
  });
});

describe('compileGraph on large graphs', () => {
  const place = (index: number): string => `n${index}`;
  const frame = (size: number, make: (index: number) => unknown): unknown =>
    sample({
      start: 'n0',
      nodes: [
        { node_id: 'n0', type: 'start', next: 'n1' },
        ...Array.from({ length: size - 2 }, (_, at) => make(at + 1)),
        { node_id: place(size - 1), type: 'end' },
      ],
    });

  it('checks the references of a chain', () => {
    const size = 10_000;
    const step = (index: number, refers: number) => ({
      node_id: place(index),
      type: 'write_state',
      key: 'k',
      value: `{{${place(refers)}.value}}`,
      next: place(index + 1),
    });
    const chain = frame(size, (index) => step(index, Math.floor(index / 2)));
    expect(compileGraph(chain, { tools }).graph?.nodes.size).toBe(size);
    const wrong = frame(size, (index) => step(index, index === 5_000 ? 9_000 : index - 1));
    expect(compileGraph(wrong, { tools }).diagnostics).toMatchObject([
      { code: 'graph.never_run_before', path: '$.nodes[5000].value' },
    ]);
  });

  it('checks the references of a dense graph', () => {
    const size = 2_000;
    const options = Array.from({ length: 12 }, (_, at) => `o${at}`);
    const step = (index: number) => ({
      node_id: place(index),
      type: 'llm_condition',
      prompt: `{{n1}} {{${place(Math.max(0, index - 3))}}}`,
      timeout_seconds: 5,
      max_retries: 0,
      branch_options: options,
      branch_targets: Object.fromEntries(
        options.map((option, at) => [option, place(Math.min(size - 1, index + 1 + at * at))]),
      ),
    });
    const { graph, diagnostics } = compileGraph(
      frame(size, (index) => (index === 1 ? { ...step(1), prompt: '{{n0}}' } : step(index))),
      { tools },
    );
    expect(graph?.nodes.size).toBe(size);
    expect(new Set(diagnostics.map(({ code }) => code))).toEqual(new Set(['graph.maybe_not_run']));
    expect(diagnostics.some(({ message }) => message.includes('"n1" '))).toBe(false);
  });
});

describe('compileGraph on hostile definitions', () => {
  const around = (node: object, settings: object = {}): unknown =>
    sample({
      nodes: [
        { node_id: 'start', type: 'start', next: 'one' },
        { node_id: 'one', next: 'end', ...node },
        { node_id: 'end', type: 'end' },
      ],
      ...settings,
    });

  it('reports hundreds of thousands of problems', () => {
    const many = Object.fromEntries(Array.from({ length: 150_000 }, (_, at) => [`field_${at}`, 1]));
    expect(codes(around({ type: 'transform', expression: '$', ...many }))).toHaveLength(150_000);
    const text = '{{end}}'.repeat(150_000);
    expect(codes(around({ type: 'write_state', key: text }))).toHaveLength(150_000);
  });

  it('reads a template that is opened and filled with blanks', () => {
    const text = `{{${' '.repeat(150_000)}x`;
    expect(codes(around({ type: 'write_state', key: text }))).toEqual(['graph.invalid_template']);
    expect(codes(around({ type: 'write_state', key: '{{'.repeat(150_000) }))).toEqual([
      'graph.invalid_template',
    ]);
  });

  it('compares many branches with many targets', () => {
    const options = Array.from({ length: 500 }, (_, at) => `option-${at}`);
    const targets = Object.fromEntries(Array.from({ length: 5_000 }, (_, at) => [`target-${at}`, 'end']));
    const node = {
      node_id: 'one',
      type: 'llm_condition',
      prompt: 'Which?',
      branch_options: options,
      branch_targets: targets,
    };
    const found = codes(
      sample({
        nodes: [{ node_id: 'start', type: 'start', next: 'one' }, node, { node_id: 'end', type: 'end' }],
      }),
      { mode: 'flex' },
    );
    expect(found).toHaveLength(5_500);
  });
});

describe('compileGraph on anything', () => {
  const compiles = (source: unknown): void => {
    const { graph, diagnostics } = compileGraph(source, {
      tools,
      graphs: { find: (name) => (name === 'a' ? source : undefined) },
    });
    expect(graph === undefined).toBe(diagnostics.some(({ severity }) => severity === 'error'));
  };

  const words = fc.constantFrom(
    ...NODE_TYPE_NAMES,
    'start',
    'end',
    'a',
    '{{a.b}}',
    '{{input}}',
    '{{',
    'x {{last}}',
    '__proto__',
    'in',
    '',
    '(a',
  );
  const scalars = fc.oneof(words, fc.integer(), fc.boolean(), fc.constant(null), fc.string());
  const keys = fc.constantFrom(
    ...[
      'node_id',
      'type',
      'next',
      'if_true',
      'if_false',
      'left',
      'right',
      'operator',
      'args',
      'tool',
      'graph',
      'items',
    ],
    ...[
      'branch_options',
      'branch_targets',
      'default',
      'expression',
      'seconds',
      'on_error',
      'input',
      'nodes',
      'id',
      'start',
    ],
    ...[
      'execution_defaults',
      'input_schema',
      'output_schema',
      'budgets',
      'guarantee_mode',
      'constructor',
      'properties',
    ],
  );
  const values = fc.letrec<{ value: Json }>((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      scalars,
      fc.array(tie('value'), { maxLength: 4 }),
      fc.dictionary(keys, tie('value'), { maxKeys: 6 }),
    ),
  })).value;

  it('accepts or rejects any JSON without throwing', () => {
    fc.assert(fc.property(fc.jsonValue(), compiles), { numRuns: 300 });
    fc.assert(fc.property(values, compiles), { numRuns: 500 });
  });

  it('accepts or rejects random nodes without throwing', () => {
    const node = fc.dictionary(keys, values, { maxKeys: 8 }).map((fields) => ({ node_id: 'a', ...fields }));
    fc.assert(
      fc.property(fc.array(node, { maxLength: 6 }), (nodes) => compiles(sample({ nodes }))),
      { numRuns: 500 },
    );
  });

  it('accepts or rejects a valid definition with random values put anywhere, without throwing', () => {
    const valid = JSON.stringify(
      sample({
        nodes: [
          { node_id: 'start', type: 'start', next: 'check' },
          {
            node_id: 'check',
            type: 'typed_condition',
            left: '{{input.n}}',
            operator: 'matches',
            right: 'a+',
            if_true: 'read',
            if_false: 'pick',
          },
          { ...read, on_error: 'pick' },
          {
            node_id: 'pick',
            type: 'llm_condition',
            prompt: '{{check}}',
            branch_options: ['x', 'y'],
            branch_targets: { x: 'each', y: 'end' },
            timeout_seconds: 1,
            max_retries: 1,
          },
          { node_id: 'each', type: 'map', items: [1], graph: 'a', max_items: 5, next: 'shape' },
          { node_id: 'shape', type: 'transform', expression: '$nodes.check', next: 'end' },
          { node_id: 'end', type: 'end', input: { deep: ['{{read.x}}'] } },
        ],
      }),
    );
    const places = [...placesIn(JSON.parse(valid))];
    fc.assert(
      fc.property(
        fc.array(fc.tuple(fc.constantFrom(...places), fc.option(values)), { maxLength: 4 }),
        (changes) => {
          const changed = JSON.parse(valid) as Json;
          for (const [path, value] of changes) putAt(changed, path, structuredClone(value));
          compiles(changed);
        },
      ),
      { numRuns: 500 },
    );
  });
});

type Path = readonly (string | number)[];

function* placesIn(value: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path;
  if (value === null || typeof value !== 'object') return;
  const members = Array.isArray(value) ? value.entries() : Object.entries(value);
  for (const [key, member] of members) yield* placesIn(member, [...path, key]);
}

/** Puts a value at a place if the place is still there. */
function putAt(root: unknown, path: Path, value: unknown): void {
  let at = root as Record<string | number, unknown>;
  for (const key of path.slice(0, -1)) {
    const next = at[key];
    if (next === null || typeof next !== 'object') return;
    at = next as Record<string | number, unknown>;
  }
  at[path.at(-1) as string | number] = value;
}
