import { expect, test } from 'vitest';
import type {
  GraphListItem,
  PictureFormat,
  RunView,
  ShowGraphAnswer,
  ValidateAnswer,
} from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const BEDS = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'README.md' }, next: 'many' },
    {
      node_id: 'many',
      type: 'typed_condition',
      left: '{{last.bytes}}',
      operator: 'gt',
      right: 5,
      if_true: 'size',
      if_false: 'end',
    },
    { node_id: 'size', type: 'transform', expression: '{"bytes": bytes}', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'beds' },
);

const BROKEN = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'raed' },
    { node_id: 'read', type: 'tool', tool: 'files.raed', args: { path: 'README.md' }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'broken' },
);

function workspace(): Workspace {
  return Workspace.trusted({
    files: {
      ...SMALL_PROJECT,
      '.oka/graphs/beds.json': JSON.stringify(BEDS),
      'flows/broken.json': JSON.stringify(BROKEN),
    },
  });
}

test('list shows the graphs of the workspace, including unreadable ones', async () => {
  const place = workspace();
  place.put('.oka/graphs/torn.json', '{ "id": ');
  const { exitCode, data } = await place.answer<{ graphs: GraphListItem[] }>('graph', 'list');
  expect(exitCode).toBe(0);
  expect(data.graphs).toEqual([
    {
      id: 'beds',
      name: 'a graph',
      version: '1',
      path: '.oka/graphs/beds.json',
      nodes: 5,
      mode: 'bounded',
    },
    expect.objectContaining({ path: '.oka/graphs/torn.json', problem: expect.any(String) }),
  ]);
  const { stdout } = await place.oka('graph', 'list');
  expect(stdout).toMatch(/^graph +version +mode +nodes +name\nbeds +1 +bounded +5 +a graph\n/);
});

test('list without graphs says how to create one', async () => {
  const place = Workspace.trusted();
  expect((await place.answer<{ graphs: GraphListItem[] }>('graph', 'list')).data.graphs).toEqual([]);
  expect((await place.oka('graph', 'list')).stdout).toContain('oka graph build');
});

test('validate reports every problem at once and exits with 3', async () => {
  const place = workspace();
  const good = await place.answer<ValidateAnswer>('graph', 'validate', 'beds');
  expect(good).toMatchObject({ exitCode: 0, data: { valid: true, diagnostics: [] } });
  expect(good.data.hash).toMatch(/^[0-9a-f]{64}$/);

  const bad = await place.answer<ValidateAnswer>('graph', 'validate', 'flows/broken.json');
  expect(bad).toMatchObject({ exitCode: 3, data: { valid: false } });
  expect(bad.data.hash).toBeUndefined();
  const target = bad.data.diagnostics.find(({ code }) => code === 'graph.unknown_target');
  expect(target).toMatchObject({ path: '$.nodes[0].next', severity: 'error' });
  expect(target?.suggestion).toContain('read');
  expect(bad.data.diagnostics.find(({ code }) => code === 'graph.unknown_tool')).toMatchObject({
    path: '$.nodes[1].tool',
  });

  const strict = await place.answer<ValidateAnswer>('graph', 'validate', 'beds', '--mode', 'strict');
  expect(strict).toMatchObject({ exitCode: 3, data: { valid: false } });

  const { stdout, exitCode } = await place.oka('graph', 'validate', 'flows/broken.json');
  expect(exitCode).toBe(3);
  expect(stdout).toMatch(/^✗ \$\.nodes\[0\]\.next {2}.+\(graph\.unknown_target\)$/m);
  expect(stdout).toMatch(/\d errors, \d warnings\n$/);
  expect((await place.oka('graph', 'validate', 'beds')).stdout).toMatch(/^valid, 0 warnings, hash /);
});

test('show prints the file unchanged, valid or not', async () => {
  const place = workspace();
  const { exitCode, data } = await place.answer<ShowGraphAnswer>('graph', 'show', 'beds');
  expect(exitCode).toBe(0);
  expect(data).toMatchObject({ path: '.oka/graphs/beds.json', definition: BEDS, valid: true });
  const broken = await place.answer<ShowGraphAnswer>('graph', 'show', 'flows/broken.json');
  expect(broken).toMatchObject({ exitCode: 0, data: { definition: BROKEN, valid: false } });
  const { stdout } = await place.oka('graph', 'show', 'beds');
  expect(stdout).toMatch(/\n\.oka\/graphs\/beds\.json: valid\n$/);
});

const PICTURES: Readonly<Record<PictureFormat, { plain: RegExp; ran: RegExp }>> = {
  mermaid: { plain: /flowchart TD\n[\s\S]*"read<br\/>files\.read"/, ran: /\(\["start"\]\):::completed/ },
  dot: { plain: /^digraph \{\n[\s\S]*label="read\\nfiles\.read"/, ran: /label="start"[^\n]*fillcolor="#/ },
  ascii: { plain: /│ start │/, ran: /│ ✓ start │/ },
  svg: { plain: /^<svg [\s\S]*<\/svg>/, ran: /Run \S+ is completed/ },
};

test.each(Object.keys(PICTURES) as PictureFormat[])(
  'render draws %s, also of a run with the status of its nodes',
  async (format) => {
    const place = workspace();
    const { data: ran } = await place.answer('graph', 'run', 'beds');
    const { plain, ran: marked } = PICTURES[format];
    type Picture = { format: string; picture: string };
    const drawn = await place.answer<Picture>('graph', 'render', 'beds', '--format', format);
    expect(drawn).toMatchObject({ exitCode: 0, data: { format } });
    expect(drawn.data.picture).toMatch(plain);
    expect(drawn.data.picture).not.toMatch(marked);
    const ofRun = await place.answer<Picture>('graph', 'render', '--run', ran.run.id, '--format', format);
    expect(ofRun.data.picture).toMatch(marked);
    const { stdout } = await place.oka('graph', 'render', 'beds', '--format', format);
    expect(stdout.trimEnd()).toBe(drawn.data.picture.trimEnd());
  },
);

test('render needs a graph or a run and a known format, and --plain uses only ASCII', async () => {
  const place = workspace();
  expect(await place.refusal('graph', 'render')).toMatchObject({ exitCode: 2, error: { code: 'cli.usage' } });
  const odd = await place.refusal('graph', 'render', 'beds', '--format', 'png');
  expect(odd).toMatchObject({ exitCode: 2, error: { code: 'cli.usage' } });
  const { stdout } = await place.oka('graph', 'render', 'beds', '--plain');
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the whole of ASCII is meant
  expect(stdout).toMatch(/^[\x00-\x7f]+$/);
});

test('schema prints the JSON Schema for editors', async () => {
  const place = workspace();
  const { data } = await place.answer<{ schema: { $schema: string } }>('graph', 'schema');
  expect(data.schema.$schema).toBe('https://json-schema.org/draft/2020-12/schema');
  expect(JSON.parse((await place.oka('graph', 'schema')).stdout)).toEqual(data.schema);
});

test('runs lists the newest runs of a graph, up to the limit', async () => {
  const place = workspace();
  const ids: string[] = [];
  for (const _ of [1, 2, 3]) ids.unshift((await place.answer('graph', 'run', 'beds')).data.run.id);
  await place.answer('do', 'read README.md');
  const runs = async (...args: string[]) =>
    (await place.answer<{ runs: RunView[] }>('graph', 'runs', ...args)).data.runs;
  expect((await runs('beds')).map(({ id }) => id)).toEqual(ids);
  expect((await runs('.oka/graphs/beds.json', '2')).map(({ id }) => id)).toEqual(ids.slice(0, 2));
  expect((await runs('beds', '1'))[0]).toMatchObject({ graph: 'beds', status: 'completed', kind: 'graph' });
  const { stdout } = await place.oka('graph', 'runs', 'beds', '2');
  expect(stdout.trimEnd().split('\n')).toHaveLength(3);
  expect(await place.refusal('graph', 'runs', 'beds', 'many')).toMatchObject({ exitCode: 2 });
});

test.each(['validate', 'show', 'render', 'run'])(
  '%s of an unknown graph suggests an existing one',
  async (word) => {
    const place = workspace();
    const { exitCode, error } = await place.refusal('graph', word, 'bedz');
    expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'graph.unknown' });
    expect(error.message).toContain('did you mean "beds"?');
    expect((await place.oka('graph', word, 'bedz')).stderr).toContain('did you mean "beds"? (graph.unknown)');
  },
);

test.each([
  ['replay', 'nope'],
  ['resume', 'nope'],
  ['resume', 'nope', '--repin'],
  ['from-run', 'nope'],
  ['state', 'checkpoints', 'nope'],
  ['render', '--run', 'nope'],
])('graph %s %s rejects an unknown run', async (...args) => {
  const place = workspace();
  expect(await place.refusal('graph', ...args)).toMatchObject({
    exitCode: 3,
    error: { code: 'engine.unknown_run' },
  });
});

test('graph replay rejects a run without a graph', async () => {
  const place = workspace();
  const { data } = await place.answer('do', 'read README.md');
  expect(await place.refusal('graph', 'replay', data.run.id)).toMatchObject({
    exitCode: 3,
    error: { code: 'graph.unknown' },
  });
});
