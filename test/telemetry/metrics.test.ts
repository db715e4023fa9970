import { expect, test } from 'vitest';
import { fakeProvider } from '../models/fake-provider.ts';
import { Collector } from './collector.ts';
import { parsePrometheus } from './parse-prometheus.ts';
import { GRAPHS, openOka } from './telemetry-kit.ts';

const PRICE = { input: 1, output: 2 };

/** Two goals of a model, a graph with a child that reads a file, and a graph whose tool fails. */
async function work(telemetry: object) {
  const provider = await fakeProvider({ says: 'Tomatoes like sun.' });
  const mock = { provider: 'openai-compatible', model: 'model-1', base_url: provider.url, price: PRICE };
  const opened = openOka({
    files: {
      ...GRAPHS,
      'notes.md': 'Tomatoes like sun.',
      '.oka/graphs/broken.json': GRAPHS['.oka/graphs/inner.json']
        .replaceAll('inner', 'broken')
        .replace('notes.md', 'nowhere.md'),
    },
    config: { models: { mock }, telemetry },
  });
  const served = await opened.oka.serveTelemetry({ isDaemon: true });
  for (const goal of ['what do tomatoes like?', 'and what do beans like?'])
    expect((await opened.do(goal)).run).toMatchObject({ status: 'completed' });
  expect((await opened.graph('outer')).run).toMatchObject({ status: 'completed' });
  expect((await opened.graph('broken')).run).toMatchObject({ status: 'failed' });
  return { ...opened, served };
}

/** A value per metric and attributes, in the names of OpenTelemetry. */
const EXPECTED = [
  ['oka.runs.started', { 'oka.run.kind': 'agent' }, 2],
  ['oka.runs.started', { 'oka.run.kind': 'graph' }, 3],
  ['oka.runs.ended', { 'oka.run.kind': 'agent', 'oka.run.status': 'completed' }, 2],
  ['oka.runs.ended', { 'oka.run.kind': 'graph', 'oka.run.status': 'completed' }, 2],
  ['oka.runs.ended', { 'oka.run.kind': 'graph', 'oka.run.status': 'failed' }, 1],
  ['oka.runs.current', { 'oka.run.status': 'completed' }, 3],
  ['oka.runs.current', { 'oka.run.status': 'failed' }, 1],
  ['oka.approvals.waiting', {}, 0],
  ['oka.tool.calls', { 'gen_ai.tool.name': 'files.read', 'oka.outcome': 'ok' }, 1],
  ['oka.tool.calls', { 'gen_ai.tool.name': 'files.read', 'oka.outcome': 'failed' }, 1],
  ['oka.model.cost', { 'gen_ai.request.model': 'model-1' }, (2 * (20 * 1 + 5 * 2)) / 1_000_000],
] as const;

test('the metrics of a known workload have the right values, and no attribute that identifies a run', async () => {
  const collector = await Collector.open();
  const { oka } = await work({ otlp: collector.url, traces: false });
  const { seq } = (await oka.overview()).ledger;
  const runs = (await oka.runs.list({ limit: 100, full: false })).map(({ id }) => id);
  await oka.close();
  for (const [name, attributes, value] of EXPECTED) {
    const points = collector.metric(name, attributes);
    expect(points, `${name} ${JSON.stringify(attributes)}`).toHaveLength(1);
    expect(points[0]?.value).toBeCloseTo(value, 10);
  }
  const chat = {
    'gen_ai.operation.name': 'chat',
    'gen_ai.provider.name': 'openai-compatible',
    'gen_ai.request.model': 'model-1',
    'gen_ai.response.model': 'model-1',
  };
  expect(collector.metric('gen_ai.client.operation.duration', chat)).toMatchObject([{ count: 2, unit: 's' }]);
  const tokens = (type: string) =>
    collector.metric('gen_ai.client.token.usage', { ...chat, 'gen_ai.token.type': type });
  expect(tokens('input')).toMatchObject([{ value: 40, count: 2, unit: '{token}' }]);
  expect(tokens('output')).toMatchObject([{ value: 10, count: 2 }]);
  const ran = collector.metric('oka.tool.duration', { 'gen_ai.tool.name': 'files.read' });
  expect(ran.map(({ count, attributes }) => [count, attributes['error.type']])).toEqual([
    [1, undefined],
    [1, 'files.not_found'],
  ]);
  expect(collector.metric('oka.ledger.head')).toMatchObject([{ value: seq }]);
  const [committed] = collector.metric('oka.ledger.events');
  expect(committed?.value).toBeGreaterThan(10);
  const [commits] = collector.metric('oka.ledger.commit.duration');
  expect(commits?.count).toBeGreaterThan(10);
  expect(commits?.count).toBeLessThanOrEqual(committed?.value ?? 0);
  expect(collector.metric('oka.ledger.capacity.wait')).toMatchObject([{ count: 4 }]);
  expect(collector.metric('process.memory.usage')[0]?.value).toBeGreaterThan(1_000_000);
  expect(collector.spans).toEqual([]);
  expectLowCardinality(collector, runs);
});

/** No attribute of a metric identifies a run or repeats a goal. */
function expectLowCardinality({ points }: Collector, runs: readonly string[]): void {
  const values = points.flatMap(({ attributes }) => Object.values(attributes));
  expect(runs.length).toBeGreaterThan(4);
  expect(values.length).toBeGreaterThan(10);
  for (const value of values)
    for (const forbidden of [...runs, 'tomatoes', 'beans', 'nowhere']) expect(value).not.toContain(forbidden);
}

test('Prometheus text has the values that are sent by OTLP', async () => {
  const { served } = await work({ prometheus: 'open' });
  const text = (await served.metrics?.read()) ?? '';
  const series = parsePrometheus(text);
  for (const [name, attributes, value] of EXPECTED) {
    const isGauge = /current|waiting/.test(name);
    const wanted = `${name.replaceAll('.', '_')}${isGauge ? '' : '_total'}`;
    const found = series.filter(
      (one) =>
        one.name === wanted &&
        Object.entries(attributes).every(([key, label]) => one.labels[key.replaceAll('.', '_')] === label),
    );
    expect(found, wanted).toHaveLength(1);
    expect(found[0]?.value).toBeCloseTo(value, 10);
  }
});

test('a tool name that a model made up is not an attribute', async () => {
  const collector = await Collector.open();
  const { oka, do: pursue } = openOka({
    files: {
      'script.json': JSON.stringify({
        turns: [
          { tool_calls: [{ tool: 'made.up', input: {} }], once: true },
          { text: 'There is no such tool.' },
        ],
      }),
    },
    config: {
      models: { actor: { provider: 'scripted', script: 'script.json' } },
      telemetry: { otlp: collector.url },
    },
  });
  await pursue('use a tool that does not exist');
  await oka.close();
  expect(collector.bodies.join('')).not.toContain('made.up');
});

test('schedules, turns of agents and open approvals are counted', async () => {
  const { oka } = openOka({
    files: {
      '.oka/graphs/tidy.json': GRAPHS['.oka/graphs/inner.json']
        .replaceAll('inner', 'tidy')
        .replace('files.read', 'files.delete'),
      '.oka/agents/ada.md': '---\nname: ada\nprovider: scripted\nscript: ada.json\n---\nYou are ada.\n',
      'ada.json': JSON.stringify({ turns: [{ text: 'Good day.' }] }),
      'notes.md': 'Tomatoes like sun.',
    },
    config: { telemetry: { prometheus: 'open' } },
  });
  const { metrics } = await oka.serveTelemetry({ isDaemon: true });
  const { id } = await oka.graphs.schedules.add({ graph: 'tidy', cron: '0 0 1 1 *', by: 'ann' });
  const { run } = await oka.graphs.schedules.trigger(id, 'ann', 0);
  expect(run).toMatchObject({ status: 'waiting', waitingFor: { approval: expect.any(String) } });
  const stop = new AbortController();
  await oka.chat.create({ name: 'room', by: 'ann' });
  await oka.chat.send({ conversation: 'room', text: '@ada good day', by: 'ann' });
  await oka.chat.host({ signal: stop.signal, onTurn: () => stop.abort() });
  const series = parsePrometheus((await metrics?.read()) ?? '');
  const value = (name: string) => series.find((one) => one.name === name)?.value;
  expect(value('oka_schedules_fired_total')).toBe(1);
  expect(value('oka_approvals_waiting')).toBe(1);
  expect(series).toContainEqual({ name: 'oka_agent_turns_total', labels: { oka_outcome: 'ok' }, value: 1 });
});
