import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Client } from '@modelcontextprotocol/client';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { OkaApi, RunAnswer } from '../../src/api/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Serving } from '../../src/runtime/mcp/serving.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type Conversation, connect, converse, REVISIONS, type Revision } from './clients.ts';
import { gate } from './small-offer.ts';

const GREETING = {
  id: 'say.greeting',
  name: 'Greeting',
  version: 1,
  description: 'Reads a file that greets.',
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 30, max_retries: 0 },
  input_schema: { type: 'object', properties: { path: { type: 'string' } }, required: ['path'] },
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: '{{input.path}}' }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};

interface Served {
  readonly oka: Oka;
  readonly workspace: string;
  readonly client: Client;
  readonly conversation: Conversation;
}

async function trustedWorkspace(): Promise<{ workspace: string; oka: Oka; home: string }> {
  const root = tempFolder();
  const [workspace, home] = [join(root, 'work'), join(root, 'home')];
  mkdirSync(join(workspace, '.oka', 'graphs'), { recursive: true });
  writeFileSync(join(workspace, 'hello.txt'), 'Hello.\n');
  writeGraph(workspace, GREETING);
  const oka = new Oka({ workspace, home });
  await oka.init({ trust: true });
  onTestFinished(() => oka.close());
  return { workspace, oka, home };
}

function writeGraph(workspace: string, graph: { readonly id: string }): void {
  writeFileSync(join(workspace, '.oka', 'graphs', `${graph.id}.json`), JSON.stringify(graph));
}

/** A client of Oka on a small workspace. */
async function serve(tools: readonly string[] = [], revision: Revision = '2026-07-28'): Promise<Served> {
  const { workspace, oka } = await trustedWorkspace();
  const conversation = converse((streams) => oka.serving.overStreams({ ...streams, tools, by: 'tests' }));
  return { oka, workspace, conversation, client: await connect(conversation, revision) };
}

async function namesOf(client: Client): Promise<readonly string[]> {
  return (await client.listTools(undefined, { cacheMode: 'bypass' })).tools.map(({ name }) => name);
}

describe.each(REVISIONS)('to a client of revision %s', (revision) => {
  it('gives the output of a tool as data that fits the schema which it was listed with', async () => {
    const { client, oka } = await serve([], revision);
    await client.listTools();
    const answer = await client.callTool({ name: 'files_read', arguments: { path: 'hello.txt' } });
    expect(answer.structuredContent).toMatchObject({ path: 'hello.txt', content: 'Hello.\n' });
    const run = await oka.runs.show(String(answer._meta?.['oka/run']));
    expect(run.run).toMatchObject({ kind: 'call', status: 'completed' });
  });

  it('runs graphs, each as a tool of its own', async () => {
    const { client, oka } = await serve([], revision);
    const answer = await client.callTool({ name: 'graph_say_greeting', arguments: { path: 'hello.txt' } });
    expect(answer.structuredContent).toMatchObject({ content: 'Hello.\n' });
    const { run } = await oka.runs.show(String(answer._meta?.['oka/run']));
    expect(run).toMatchObject({ kind: 'graph', graph: 'say.greeting', status: 'completed' });
  });
});

it('offers by default what only reads, state, and graphs', async () => {
  const { client } = await serve();
  const names = await namesOf(client);
  expect(names).toEqual(
    expect.arrayContaining([
      'files_read',
      'files_list',
      'files_search',
      'state_read',
      'state_write',
      'graph_say_greeting',
    ]),
  );
  for (const hidden of ['files_write', 'files_delete', 'engine_run_children', 'graph_run', 'model_complete'])
    expect(names).not.toContain(hidden);
});

it('offers more when it is told to', async () => {
  const { client } = await serve(['files.*']);
  expect(await namesOf(client)).toEqual(
    expect.arrayContaining(['files_write', 'files_delete', 'state_read']),
  );
});

it('refuses a name that no tool fits, and offers the nearest', async () => {
  const { oka } = await trustedWorkspace();
  const request = { tools: ['files.wirte'], by: 'tests', onWarning: () => {}, port: 0 };
  await expect(oka.serving.overHttp(request)).rejects.toMatchObject({
    code: 'engine.unknown_tool',
    message: 'no tool fits "files.wirte". Did you mean "files.write"?',
  });
});

it('tells why a call failed, by the code of the failure', async () => {
  const { client } = await serve();
  const answer = await client.callTool({ name: 'files_read', arguments: { path: 'nothing.txt' } });
  expect(answer).toMatchObject({ isError: true, _meta: { 'oka/code': 'files.not_found' } });
  const wrong = await client.callTool({ name: 'files_read', arguments: { path: 7 } });
  expect(wrong).toMatchObject({ isError: true, _meta: { 'oka/code': 'engine.tool_input_invalid' } });
  const graph = await client.callTool({ name: 'graph_say_greeting', arguments: {} });
  expect(graph).toMatchObject({ isError: true, _meta: { 'oka/code': 'graph.input_invalid' } });
});

it('answers a call that needs a person at once, and tells later what became of it', async () => {
  const { client, oka, workspace } = await serve(['files.delete']);
  const answer = await client.callTool({ name: 'files_delete', arguments: { path: 'hello.txt' } });
  const [approval] = await oka.approvals.list({ status: 'pending' });
  const id = approval?.id as string;
  const uri = `oka://run/${approval?.run}`;
  expect(answer).toMatchObject({ isError: true, _meta: { 'oka/approval': id, 'oka/run': approval?.run } });
  expect(answer.content).toEqual([
    { type: 'text', text: expect.stringContaining(`oka approvals approve ${id}`) },
  ]);
  expect(answer.content).toEqual([{ type: 'text', text: expect.stringContaining(uri) }]);
  const read = async (): Promise<RunAnswer> => {
    const { contents } = await client.readResource({ uri }, { cacheMode: 'bypass' });
    return JSON.parse((contents[0] as { text: string }).text) as RunAnswer;
  };
  expect((await read()).run.status).toBe('waiting');

  const changed = gate();
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    if (params.uri === uri) changed.reach();
  });
  await client.listen({ resourceSubscriptions: [uri] });
  const person = new Oka({ workspace, home: join(workspace, '..', 'home') });
  onTestFinished(() => person.close());
  await person.approvals.approve({ id, by: 'a person' }, 0);
  await changed.reached;
  expect((await read()).run.status).toBe('completed');
});

it('cancels the run of a call that the client gives up on', async () => {
  const { client, oka } = await serve(['engine.wait']);
  const stop = new AbortController();
  const call = client.callTool({ name: 'engine_wait', arguments: { seconds: 25 } }, { signal: stop.signal });
  const started = gate<string>();
  const tail = new AbortController();
  onTestFinished(() => tail.abort());
  const seen = (async () => {
    for await (const event of oka.ledger.tail({ last: 0, follow: true, signal: tail.signal })) {
      if (event.type === 'tool.pending') started.reach(event.stream.slice('run/'.length));
      if (event.type === 'run.cancelled') return event.stream.slice('run/'.length);
    }
    return undefined;
  })();
  const run = await started.reached;
  stop.abort();
  await expect(call).rejects.toThrow();
  expect(await seen).toBe(run);
  expect((await oka.runs.show(run)).run.status).toBe('cancelled');
});

const GOODBYES: readonly [string, (conversation: Conversation) => void][] = [
  ['the client goes away', ({ input }) => void input.end()],
  ['the server is told to end', (conversation) => conversation.end()],
];

it.each(GOODBYES)('leaves a run that is under way as it is when %s', async (_, leave) => {
  const { oka, workspace } = await trustedWorkspace();
  const cancelled: string[] = [];
  const cancel: OkaApi['runs']['cancel'] = (run, by, reason) => {
    cancelled.push(run);
    return oka.runs.cancel(run, by, reason);
  };
  const started = gate<string>();
  const call: OkaApi['tools']['call'] = (request) =>
    oka.tools.call({
      ...request,
      onEvent: (event) => {
        request.onEvent?.(event);
        if (event.type === 'tool.pending') started.reach(event.stream.slice('run/'.length));
      },
    });
  const serving = new Serving({
    api: {
      tools: { list: () => oka.tools.list(), show: (name) => oka.tools.show(name), call },
      graphs: oka.graphs,
      runs: { show: (run: string) => oka.runs.show(run), cancel } as OkaApi['runs'],
    },
    tokenFile: join(workspace, 'token'),
    clock: systemClock,
    random: systemRandom,
  });
  const conversation = converse((streams) =>
    serving.overStreams({ ...streams, tools: ['engine.wait'], by: 'tests' }),
  );
  const client = await connect(conversation, '2026-07-28');
  const cutOff = client.callTool({ name: 'engine_wait', arguments: { seconds: 25 } }).catch(() => true);
  const run = await started.reached;
  leave(conversation);
  await conversation.ended;
  await client.close();
  expect(await cutOff).toBe(true);
  expect(cancelled).toEqual([]);
  expect((await oka.runs.show(run)).run.status).toBe('waiting');
});

it('tells of the steps of a run as progress, each call of its own run only', async () => {
  const { client } = await serve();
  const heard: string[][] = [[], []];
  const follow = (i: number) => ({
    onprogress: ({ message = '' }: { message?: string | undefined }) => void heard[i]?.push(message),
  });
  await Promise.all([
    client.callTool({ name: 'graph_say_greeting', arguments: { path: 'hello.txt' } }, follow(0)),
    client.callTool({ name: 'files_list', arguments: { path: '.' } }, follow(1)),
  ]);
  expect(heard[0]).toContain('files.read');
  expect(heard[0]).not.toContain('files.list');
  expect(heard[1]).toContain('files.list');
  expect(heard[1]).not.toContain('files.read');
});

it('keeps many calls at a time apart', async () => {
  const { client, workspace } = await serve();
  const paths = Array.from({ length: 20 }, (_, i) => `file-${i}.txt`);
  for (const path of paths) writeFileSync(join(workspace, path), path);
  const answers = await Promise.all(
    paths.map((path) => client.callTool({ name: 'files_read', arguments: { path } })),
  );
  expect(answers.map(({ structuredContent }) => (structuredContent as { content: string }).content)).toEqual(
    paths,
  );
  expect(new Set(answers.map(({ _meta }) => _meta?.['oka/run'])).size).toBe(20);
});

it('gives graphs as resources, and no other files under their addresses', async () => {
  const { client } = await serve();
  const uri = 'oka://graph/say.greeting';
  expect((await client.listResources()).resources.map((resource) => resource.uri)).toContain(uri);
  const { contents } = await client.readResource({ uri });
  expect(JSON.parse((contents[0] as { text: string }).text)).toEqual(GREETING);
  for (const path of [
    '.oka%2Fconfig.json',
    '..%2F..%2Fetc%2Fpasswd',
    '.oka%2Fgraphs%2Fsay.greeting.json',
    '%',
    '',
  ])
    await expect(client.readResource({ uri: `oka://graph/${path}` })).rejects.toThrow();
  await expect(client.readResource({ uri: 'oka://run/nothing' })).rejects.toThrow();
  await expect(client.readResource({ uri: 'file:///etc/passwd' })).rejects.toThrow();
});

it('gives a prompt for each graph, and completes the ids of graphs', async () => {
  const { client } = await serve();
  const { messages } = await client.getPrompt({ name: 'run_say.greeting', arguments: { path: 'hello.txt' } });
  expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('graph_say_greeting') });
  expect(messages[0]?.content).toMatchObject({ text: expect.stringContaining('"path": "hello.txt"') });
  const { completion } = await client.complete({
    ref: { type: 'ref/resource', uri: 'oka://graph/{id}' },
    argument: { name: 'id', value: 'say' },
  });
  expect(completion.values).toEqual(['say.greeting']);
});

it('tells when graphs have changed, and offers no graph that cannot run', async () => {
  const { client, workspace } = await serve();
  const changed = gate();
  client.setNotificationHandler('notifications/tools/list_changed', () => changed.reach());
  await client.listen({ toolsListChanged: true });
  expect(await namesOf(client)).not.toContain('graph_second');
  writeGraph(workspace, { ...GREETING, id: 'broken', start: 'nowhere' } as never);
  writeGraph(workspace, { ...GREETING, id: 'second' });
  await changed.reached;
  const names = await namesOf(client);
  expect(names).toContain('graph_second');
  expect(names).not.toContain('graph_broken');
});

it('serves nothing in a workspace that is not trusted', async () => {
  const root = tempFolder();
  mkdirSync(join(root, '.oka'));
  const oka = new Oka({ workspace: root, home: join(root, 'home') });
  onTestFinished(() => oka.close());
  const request = { tools: [], by: 'tests', onWarning: () => {}, port: 0 };
  await expect(oka.serving.overHttp(request)).rejects.toMatchObject({ code: 'config.not_trusted' });
});
