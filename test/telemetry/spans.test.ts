import { expect, test } from 'vitest';
import { spanIdOf, traceIdOf } from '../../src/kernel/index.ts';
import { fakeProvider } from '../models/fake-provider.ts';
import { Collector } from './collector.ts';
import { GRAPHS, openOka } from './telemetry-kit.ts';

const SCRIPTED = { actor: { provider: 'scripted', script: 'script.json' } };

function script(...turns: readonly object[]): Readonly<Record<string, string>> {
  return { 'script.json': JSON.stringify({ turns }), 'notes.md': 'Tomatoes like sun.' };
}

const readThenAnswer = (path: string) =>
  script(
    { tool_calls: [{ tool: 'files.read', input: { path } }], once: true },
    { text: 'Tomatoes like sun, says the file.' },
  );

test('a run, its model requests and its tool calls are one tree of spans', async () => {
  const collector = await Collector.open();
  const { oka, do: pursue } = openOka({
    files: readThenAnswer('notes.md'),
    config: { models: SCRIPTED, telemetry: { otlp: collector.url, service_name: 'garden' } },
  });
  const { run } = await pursue('what do tomatoes like?');
  expect(run).toMatchObject({ status: 'completed' });
  await oka.close();
  const [first] = collector.spans.filter(({ name }) => name.startsWith('invoke_agent'));
  expect(first).toMatchObject({
    traceId: traceIdOf(run.id),
    spanId: spanIdOf(run.id),
    parent: undefined,
    isError: false,
    attributes: {
      'gen_ai.operation.name': 'invoke_agent',
      'oka.run.id': run.id,
      'oka.run.status': 'completed',
    },
  });
  const tool = collector.span('execute_tool files.read');
  expect(tool).toMatchObject({
    traceId: traceIdOf(run.id),
    parent: spanIdOf(run.id),
    isError: false,
    attributes: {
      'gen_ai.operation.name': 'execute_tool',
      'gen_ai.tool.name': 'files.read',
      'gen_ai.tool.type': 'function',
      'gen_ai.tool.call.id': expect.stringMatching(new RegExp(`^${run.id}/\\d+$`)),
    },
  });
  const chats = collector.spans.filter(({ name }) => name.startsWith('chat '));
  expect(chats).toHaveLength(2);
  for (const chat of chats)
    expect(chat).toMatchObject({
      traceId: traceIdOf(run.id),
      parent: spanIdOf(run.id),
      kind: 3,
      attributes: {
        'gen_ai.operation.name': 'chat',
        'gen_ai.provider.name': 'scripted',
        'gen_ai.request.model': expect.any(String),
        'gen_ai.response.model': expect.any(String),
        'oka.run.id': run.id,
      },
    });
  expect(chats.map(({ attributes }) => attributes['gen_ai.response.finish_reasons'])).toEqual([
    ['tool_calls'],
    ['stop'],
  ]);
  expect(collector.resource).toMatchObject({
    'service.name': 'garden',
    'service.version': expect.any(String),
  });
});

test('a model request has the tokens and the models of the provider', async () => {
  const collector = await Collector.open();
  const provider = await fakeProvider({ says: 'Tomatoes like sun.' });
  const mock = { provider: 'openai-compatible', model: 'model-1', base_url: provider.url };
  const { oka, do: pursue } = openOka({ config: { models: { mock }, telemetry: { otlp: collector.url } } });
  await pursue('what do tomatoes like?');
  await oka.close();
  expect(collector.span('chat model-1').attributes).toMatchObject({
    'gen_ai.provider.name': 'openai-compatible',
    'gen_ai.request.model': 'model-1',
    'gen_ai.response.model': 'model-1',
    'gen_ai.usage.input_tokens': 20,
    'gen_ai.usage.output_tokens': 5,
    'gen_ai.response.finish_reasons': ['stop'],
  });
});

test('a failing tool and a failing model have the codes of their errors and no message', async () => {
  const collector = await Collector.open();
  const { oka, do: pursue } = openOka({
    files: script(
      { tool_calls: [{ tool: 'files.read', input: { path: 'nowhere.md' } }], once: true },
      { error: 'refused' },
    ),
    config: { models: SCRIPTED, telemetry: { otlp: collector.url } },
  });
  const { run } = await pursue('read nowhere.md for me');
  expect(run).toMatchObject({ status: 'failed' });
  await oka.close();
  expect(collector.span('execute_tool files.read')).toMatchObject({
    isError: true,
    attributes: { 'error.type': 'files.not_found' },
  });
  const chats = collector.spans.filter(({ name }) => name.startsWith('chat '));
  expect(chats.at(-1)).toMatchObject({ isError: true, attributes: { 'error.type': 'models.refused' } });
  expect(collector.span('invoke_agent agent')).toMatchObject({
    isError: true,
    attributes: { 'error.type': run.failure?.code, 'oka.run.status': 'failed' },
  });
  expect(collector.bodies.join('')).not.toContain('nowhere');
});

test('a child run is a child of its parent, and its tool is a child of it', async () => {
  const collector = await Collector.open();
  const { oka, graph } = openOka({
    files: { ...GRAPHS, 'notes.md': 'Tomatoes like sun.' },
    config: { telemetry: { otlp: collector.url } },
  });
  const { run } = await graph('outer');
  expect(run).toMatchObject({ status: 'completed' });
  await oka.close();
  const outer = collector.span('invoke_workflow outer');
  const inner = collector.span('invoke_workflow inner');
  const read = collector.span('execute_tool files.read');
  expect(new Set(collector.spans.map(({ traceId }) => traceId))).toEqual(new Set([traceIdOf(run.id)]));
  expect({ parent: outer.parent, spanId: outer.spanId }).toEqual({
    parent: undefined,
    spanId: spanIdOf(run.id),
  });
  expect(inner.parent).toBe(outer.spanId);
  expect(read.parent).toBe(inner.spanId);
  expect(inner.startMs).toBeGreaterThanOrEqual(outer.startMs);
  expect(inner.endMs).toBeLessThanOrEqual(outer.endMs);
});

test('a run that another process finishes has one span of its own, in the same trace', async () => {
  const collector = await Collector.open();
  const files = script(
    { tool_calls: [{ tool: 'files.delete', input: { path: 'notes.md' } }], once: true },
    { text: 'Done.' },
  );
  const first = openOka({ files, config: { models: SCRIPTED, telemetry: { otlp: collector.url } } });
  const { run } = await first.do('delete notes.md for me');
  expect(run).toMatchObject({ status: 'waiting' });
  await first.oka.close();
  expect(collector.spans.map(({ name }) => name)).toEqual(['chat actor']);
  const second = first.again();
  await second.oka.approvals.approve({ id: run.waitingFor?.approval ?? '', by: 'tester' }, 0);
  await second.oka.close();
  const [asked] = collector.spans;
  expect(asked).toMatchObject({ traceId: traceIdOf(run.id), parent: spanIdOf(run.id) });
  expect(collector.span('execute_tool files.delete')).toMatchObject({
    traceId: traceIdOf(run.id),
    parent: spanIdOf(run.id),
  });
  expect(collector.span('invoke_agent agent')).toMatchObject({ spanId: spanIdOf(run.id), isError: false });
  expect(collector.span('invoke_agent agent').startMs).toBeLessThanOrEqual(asked?.startMs ?? 0);
});

test('a model request of a tool is below the tool', async () => {
  const collector = await Collector.open();
  const asking = GRAPHS['.oka/graphs/inner.json']
    .replaceAll('inner', 'asking')
    .replace('files.read', 'model.complete')
    .replace('"path":"notes.md"', '"prompt":"what do tomatoes like?"');
  const { oka, graph } = openOka({
    files: { ...script({ text: 'Sun.' }), '.oka/graphs/asking.json': asking },
    config: { models: SCRIPTED, telemetry: { otlp: collector.url } },
  });
  const { run } = await graph('asking');
  expect(run).toMatchObject({ status: 'completed' });
  await oka.close();
  const tool = collector.span('execute_tool model.complete');
  expect(tool.parent).toBe(spanIdOf(run.id));
  expect(collector.span('chat actor')).toMatchObject({ traceId: traceIdOf(run.id), parent: tool.spanId });
});
