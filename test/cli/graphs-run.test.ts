import { expect, test } from 'vitest';
import type { EventView, ReplayAnswer, RunAnswer, StateValue } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { type Finished, SMALL_PROJECT, toAnswer, toRefusal, Workspace } from './oka-process.ts';

const START = { node_id: 'start', type: 'start', next: 'a' };
const END = { node_id: 'end', type: 'end' };

/** Keeps what it is given and writes it to a file. */
const KEEP = {
  ...defineGraph(
    [
      START,
      { node_id: 'a', type: 'write_state', key: 'word', value: '{{input.word}}', next: 'b' },
      { node_id: 'b', type: 'read_state', key: 'word', next: 'c' },
      {
        node_id: 'c',
        type: 'tool',
        tool: 'files.write',
        args: { path: 'word.txt', content: '{{input.word}} {{vars.more}}' },
        next: 'end',
      },
      { ...END, input: { word: '{{b.value}}', path: '{{c.path}}' } },
    ],
    { id: 'keep' },
  ),
  input_schema: { type: 'object', properties: { word: { type: 'string' } }, required: ['word'] },
};

/** In strict mode a value that is not there is a failure. */
const GONE = defineGraph(
  [
    START,
    { node_id: 'a', type: 'transform', input: { got: '{{input.gone}}' }, expression: '$', next: 'end' },
    END,
  ],
  { id: 'gone', mode: 'strict' },
);

const VARS = ['--vars', '{"more":"indeed"}'];

function workspace(): Workspace {
  return Workspace.trusted({
    files: {
      ...SMALL_PROJECT,
      '.oka/graphs/keep.json': JSON.stringify(KEEP),
      '.oka/graphs/gone.json': JSON.stringify(GONE),
      'input.json': '{"word":"grün"}',
      'empty.json': '{}',
    },
  });
}

const keep = (place: Workspace, ...args: string[]) =>
  place.answer('graph', 'run', 'keep', '--input', place.at('input.json'), ...VARS, ...args);

/** The command with something on its standard input. */
function fed(place: Workspace, text: string, ...args: readonly string[]): Promise<Finished> {
  return place.okaWith({ input: text }, ...args);
}

test('run reads its input from a file or from standard input', async () => {
  const place = workspace();
  expect(await keep(place)).toMatchObject({
    exitCode: 0,
    data: { run: { kind: 'graph', graph: 'keep', status: 'completed' }, output: { word: 'grün' } },
  });
  expect(place.text('word.txt')).toBe('grün indeed');
  const piped = await fed(place, '{"word":"🌱"}', 'graph', 'run', 'keep', '--input', '-', ...VARS, '--json');
  expect(toAnswer<RunAnswer>(piped).data.output).toEqual({ word: '🌱', path: 'word.txt' });
  const { exitCode, stdout, stderr } = await fed(
    place,
    '{"word":"x"}',
    'graph',
    'run',
    'keep',
    '--input',
    '-',
    ...VARS,
  );
  expect(exitCode).toBe(0);
  expect(stdout).toBe('path  word.txt\nword  x\n');
  expect(stderr).toMatch(/^ {2}wrote word\.txt \+1 −1\n {6}− 🌱 indeed\n {6}\+ x indeed$/m);
});

test('unreadable, malformed or invalid input is rejected before anything runs', async () => {
  const place = workspace();
  const cases: [Finished, number, string][] = [
    [await fed(place, '{"word"', 'graph', 'run', 'keep', '--input', '-', '--json'), 3, 'cli.invalid_json'],
    [await fed(place, '', 'graph', 'run', 'keep', '--input', '-', '--json'), 3, 'cli.invalid_json'],
    [
      await fed(place, '{"word":7}', 'graph', 'run', 'keep', '--input', '-', '--json'),
      3,
      'graph.input_invalid',
    ],
    [await place.oka('graph', 'run', 'keep', '--json'), 3, 'graph.input_invalid'],
    [await place.oka('graph', 'run', 'keep', '--input', 'empty.json', '--json'), 3, 'graph.input_invalid'],
    [await place.oka('graph', 'run', 'keep', '--input', 'none.json', '--json'), 2, 'cli.usage'],
  ];
  for (const [finished, exitCode, code] of cases)
    expect(toRefusal(finished)).toMatchObject({ exitCode, error: { code } });
  const { error } = await place.refusal('graph', 'run', 'keep', '--input', place.at('empty.json'));
  expect(error.data['issues']).toMatchObject([{ message: expect.stringContaining('word') }]);
  expect(await place.refusal('graph', 'run', 'keep', '--vars', '[1]')).toMatchObject({ exitCode: 3 });
  expect(await place.refusal('graph', 'run', 'keep', '--budget', 'steps')).toMatchObject({ exitCode: 2 });
  expect((await place.answer<{ runs: unknown[] }>('graph', 'runs', 'keep')).data.runs).toEqual([]);
});

test('the message about invalid input ends each sentence once', async () => {
  const place = workspace();
  const { error } = await place.refusal('graph', 'run', 'keep', '--input', place.at('empty.json'));
  expect(error.message).not.toContain('..');
});

test('a looser --mode recompiles and runs the graph without changing the file', async () => {
  const place = workspace();
  const input = ['--input', place.at('empty.json')];
  const strict = await place.answer('graph', 'run', 'gone', ...input);
  expect(strict).toMatchObject({ exitCode: 1, data: { run: { failure: { code: 'graph.missing_value' } } } });
  for (const mode of ['bounded', 'flex']) {
    const looser = await place.answer('graph', 'run', 'gone', ...input, '--mode', mode);
    expect(looser).toMatchObject({ exitCode: 0, data: { output: { got: null } } });
    expect(looser.data.run.graphHash).not.toBe(strict.data.run.graphHash);
    const replayed = await place.answer('graph', 'replay', looser.data.run.id);
    expect(replayed.data.run.graphHash).toBe(looser.data.run.graphHash);
  }
});

test('a stricter --mode is rejected if the graph does not meet it', async () => {
  const place = workspace();
  const { exitCode, error } = await place.refusal(
    'graph',
    'run',
    'keep',
    '--mode',
    'strict',
    '--input',
    place.at('input.json'),
  );
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 3, code: 'graph.invalid' });
  const codes = (error.data['diagnostics'] as { code: string }[]).map(({ code }) => code);
  expect(codes).toContain('graph.missing_idempotency_key');
  expect(await place.refusal('graph', 'run', 'keep', '--mode', 'loose')).toMatchObject({ exitCode: 2 });
});

test('a simulation reports its changes and changes neither files nor state', async () => {
  const place = workspace();
  await keep(place);
  place.put('input.json', '{"word":"blue"}');
  const before = place.mirror().length;
  for (const flag of ['--simulate', '--dry-run']) {
    const { exitCode, data } = await keep(place, flag);
    expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 0, status: 'completed' });
    expect(data.wouldChange).toMatchObject([{ path: 'word.txt' }]);
  }
  expect(place.text('word.txt')).toBe('grün indeed');
  const added = place.mirror().slice(before);
  expect(added.map(({ type }) => type)).toEqual(['simulation.recorded', 'simulation.recorded']);
  expect((await place.answer<{ value: string }>('graph', 'state', 'get', 'keep', 'word')).data.value).toBe(
    'grün',
  );
  const { stdout } = await place.oka('graph', 'run', 'keep', '--input', 'input.json', ...VARS, '--simulate');
  expect(stdout).toContain('word.txt');
});

test('a simulated run reads the state it wrote', async () => {
  const place = workspace();
  expect((await keep(place, '--simulate')).data.output).toEqual({ word: 'grün', path: 'word.txt' });
});

test('--stream-json prints one event per line', async () => {
  const place = workspace();
  const { stdout } = await place.oka(
    'graph',
    'run',
    'keep',
    '--input',
    'input.json',
    ...VARS,
    '--stream-json',
    '--json',
  );
  const lines = stdout
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line));
  const envelope = lines.pop() as { ok: boolean; data: RunAnswer };
  expect(envelope).toMatchObject({ version: 1, ok: true, data: { run: { status: 'completed' } } });
  const events = lines as EventView[];
  const own = events.filter(({ stream }) => stream === `run/${envelope.data.run.id}`).map(({ type }) => type);
  expect([own[0], own.at(-1)]).toEqual(['run.started', 'run.completed']);
  const seqs = events.map(({ seq }) => seq);
  expect(seqs).toEqual([...seqs].sort((a, b) => a - b));
});

test('--stream-json ends with the envelope without --json', async () => {
  const place = workspace();
  const { stdout } = await place.oka(
    'graph',
    'run',
    'keep',
    '--input',
    'input.json',
    ...VARS,
    '--stream-json',
  );
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string);
  expect(last).toMatchObject({ version: 1, ok: true, data: { output: { word: 'grün' } } });
});

test('--stream-json ends with the envelope even if the command is rejected', async () => {
  const { stdout } = await workspace().oka('graph', 'run', 'nope', '--stream-json');
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) as string);
  expect(last).toMatchObject({ version: 1, ok: false, error: { code: 'graph.unknown' } });
});

test('--watch without a terminal prints one line per action and no control characters', async () => {
  const place = workspace();
  const { exitCode, stdout, stderr } = await place.oka(
    'graph',
    'run',
    'keep',
    '--input',
    'input.json',
    ...VARS,
    '--watch',
  );
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(/^ {2}stored the value word\n/);
  expect(stdout + stderr).not.toContain('\u001b');
  const quiet = await place.oka(
    'graph',
    'run',
    'keep',
    '--input',
    'input.json',
    ...VARS,
    '--watch',
    '--json',
  );
  expect(toAnswer<RunAnswer>(quiet).exitCode).toBe(0);
});

test('replay runs again with the recorded input and variables', async () => {
  const place = workspace();
  const first = await keep(place);
  place.put('word.txt', 'something else');
  const second = await place.answer('graph', 'replay', first.data.run.id);
  expect(second).toMatchObject({ exitCode: 0, data: { output: first.data.output } });
  expect(second.data.run.id).not.toBe(first.data.run.id);
  expect(place.text('word.txt')).toBe('grün indeed');
  expect((await place.oka('graph', 'replay', first.data.run.id)).stdout).toContain('word  grün\n');
});

test('replay narrates a run, repeats its decisions, and executes it on a copy', async () => {
  const place = workspace();
  const { data } = await keep(place);
  const before = place.mirror().length;
  const as = async (mode: string) =>
    (await place.answer<ReplayAnswer>('graph', 'replay', data.run.id, '--as', mode)).data;
  expect(await as('decision')).toMatchObject({ mode: 'decision', equal: true, differences: [] });
  expect((await as('decision')).compared).toBeGreaterThan(3);
  expect((await as('narrative')).narrative?.join('\n')).toContain('files.write');
  const { stdout } = await place.oka('graph', 'replay', data.run.id, '--as', 'decision');
  expect(stdout).toMatch(/^equal: \d+ decisions compared\n$/);
  expect(place.mirror()).toHaveLength(before);
});

test('a full replay equals a run that wrote state, even after later runs changed it', async () => {
  const place = workspace();
  const { data } = await keep(place);
  place.put('input.json', '{"word":"blue"}');
  await keep(place);
  const { data: report } = await place.answer<ReplayAnswer>('graph', 'replay', data.run.id, '--as', 'full');
  expect(report).toMatchObject({ mode: 'full', equal: true, differences: [] });
  expect(place.text('word.txt')).toBe('blue indeed');
});

test('state shows the state of a graph with its history', async () => {
  const place = workspace();
  const first = await keep(place);
  place.put('input.json', '{"word":"blue"}');
  const second = await keep(place);
  const shown = await place.answer<{ graph: string; state: StateValue[] }>('graph', 'state', 'show', 'keep');
  expect(shown.data).toEqual({
    graph: 'keep',
    state: [{ key: 'word', value: 'blue', at: expect.any(Number), run: second.data.run.id }],
  });
  const got = await place.answer('graph', 'state', 'get', 'keep', 'word');
  expect(got.data).toMatchObject({ key: 'word', value: 'blue' });
  const history = (...limit: string[]) =>
    place.answer<{ key: string; history: StateValue[] }>(
      'graph',
      'state',
      'history',
      'keep',
      'word',
      ...limit,
    );
  expect((await history()).data).toEqual({
    key: 'word',
    history: [
      { value: 'blue', at: expect.any(Number), run: second.data.run.id },
      { value: 'grün', at: expect.any(Number), run: first.data.run.id },
    ],
  });
  expect((await history('1')).data.history).toHaveLength(1);
  expect((await place.answer('graph', 'state', 'get', 'keep', 'none')).data).toEqual({
    key: 'none',
    value: null,
  });
  expect((await place.oka('graph', 'state', 'show', 'keep')).stdout).toMatch(/^word +\S+ \S+ +\S+ +"blue"$/m);
  expect((await place.oka('graph', 'state', 'get', 'keep', 'word')).stdout).toBe('"blue"\n');
  expect((await place.oka('graph', 'state', 'history', 'keep', 'word')).stdout).toMatch(
    /"blue"\n.*"grün"\n$/,
  );
});

test('a run over its budget waits with exit 5, and continues with more budget', async () => {
  const place = workspace();
  const { exitCode, data } = await keep(place, '--budget', 'steps=2');
  expect({ exitCode, waits: data.run.waitingFor?.what }).toEqual({ exitCode: 5, waits: 'budget' });
  const resumed = await place.answer('graph', 'resume', data.run.id, '--add-budget', 'steps=20');
  expect(resumed).toMatchObject({
    exitCode: 0,
    data: { run: { id: data.run.id }, output: { word: 'grün' } },
  });
});

test('a run that waits for an event continues when it arrives', async () => {
  const place = workspace();
  const waits = [START, { node_id: 'a', type: 'wait', event: 'go', next: 'end' }, END];
  place.put('.oka/graphs/waits.json', JSON.stringify(defineGraph(waits, { id: 'waits' })));
  const { exitCode, data } = await place.answer('graph', 'run', 'waits');
  expect({ exitCode, status: data.run.status }).toEqual({ exitCode: 0, status: 'waiting' });
  const sent = await place.answer('runs', 'signal', data.run.id, 'go', '{"with":"this"}');
  expect(sent).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'completed' }, output: { with: 'this' } },
  });
});
