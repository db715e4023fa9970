import { describe, expect, it } from 'vitest';
import { connect, converseAbout, REVISIONS } from './clients.ts';
import { gate, SmallOffer } from './small-offer.ts';

const line = (message: object): string => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`;
const INITIALIZE = {
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'tests', version: '1' } },
};

describe.each(REVISIONS)('a client of revision %s', (revision) => {
  it('learns the name of the server', async () => {
    const client = await connect(converseAbout(new SmallOffer()), revision);
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(client.getServerVersion()).toMatchObject({ name: 'oka', version: '1.2.3' });
    expect(client.getInstructions()).toBe('Ask nicely.');
  });

  it('sees the tools under names that every model accepts, and calls them by these', async () => {
    const offer = new SmallOffer();
    const client = await connect(converseAbout(offer), revision);
    const { tools } = await client.listTools();
    expect(tools).toEqual([
      expect.objectContaining({
        name: 'files_read',
        description: 'does files.read',
        annotations: {
          readOnlyHint: true,
          destructiveHint: false,
          idempotentHint: true,
          openWorldHint: false,
        },
      }),
    ]);
    const answer = await client.callTool({ name: 'files_read', arguments: { path: 'a' } });
    expect(answer).toMatchObject({
      structuredContent: { read: 'a' },
      content: [{ type: 'text', text: '{\n  "read": "a"\n}' }],
    });
    expect(offer.calls).toEqual([{ name: 'files.read', input: { path: 'a' } }]);
  });

  it('can distinguish two tools whose names would collide', async () => {
    const offer = new SmallOffer({
      'a.b': () => ({ ok: true, output: { dotted: true } }),
      a_b: () => ({ ok: true, output: { dotted: false } }),
    });
    const client = await connect(converseAbout(offer), revision);
    const names = (await client.listTools()).tools
      .map(({ name }) => name)
      .filter((name) => name.startsWith('a'));
    expect(new Set(names).size).toBe(2);
    const answers = await Promise.all(names.map((name) => client.callTool({ name, arguments: {} })));
    expect(answers.map(({ structuredContent }) => structuredContent)).toEqual(
      expect.arrayContaining([{ dotted: true }, { dotted: false }]),
    );
  });

  it('gets all pages of a long list', async () => {
    const many = Object.fromEntries(
      Array.from({ length: 250 }, (_, i) => [`many.t${i}`, () => ({ ok: true as const, output: i })]),
    );
    const client = await connect(converseAbout(new SmallOffer(many)), revision);
    const first = await client.request({ method: 'tools/list', params: {} });
    expect(first.tools).toHaveLength(100);
    expect(first.nextCursor).toEqual(expect.any(String));
    expect((await client.listTools()).tools).toHaveLength(251);
    await expect(client.request({ method: 'tools/list', params: { cursor: 'mine' } })).rejects.toThrow(
      /cursor/,
    );
  });

  it('gets the error of a failed call, in words that a model can act on', async () => {
    const offer = new SmallOffer({
      fail: () => ({ ok: false, code: 'files.not_found', message: 'there is nothing at "x".', run: 'r1' }),
      throw: () => {
        throw new Error('a bug');
      },
    });
    const client = await connect(converseAbout(offer), revision);
    expect(await client.callTool({ name: 'fail', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'there is nothing at "x". (files.not_found)' }],
      _meta: { 'oka/run': 'r1', 'oka/code': 'files.not_found' },
    });
    expect(await client.callTool({ name: 'throw', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: 'a bug (kernel.bug)' }],
    });
  });

  it('learns at once that a call waits for a person, and how it is decided', async () => {
    const message = 'Run r1 waits: oka approvals approve p1.';
    const offer = new SmallOffer({
      'files.delete': () => ({ ok: 'waiting', message, run: 'r1', approvalId: 'p1' }),
    });
    const client = await connect(converseAbout(offer), revision);
    expect(await client.callTool({ name: 'files_delete', arguments: {} })).toMatchObject({
      isError: true,
      content: [{ type: 'text', text: message }],
      _meta: { 'oka/run': 'r1', 'oka/approval': 'p1' },
    });
  });

  it('gets a suggestion for a mistyped tool', async () => {
    const client = await connect(converseAbout(new SmallOffer()), revision);
    const call = client.callTool({ name: 'files_raed', arguments: {} });
    await expect(call).rejects.toThrow('No tool "files_raed". Did you mean "files_read"?');
  });

  it('can cancel a call', async () => {
    const started = gate();
    const aborted = gate();
    const offer = new SmallOffer({
      slow: async (_, { signal }) => {
        signal.addEventListener('abort', () => aborted.reach());
        started.reach();
        await aborted.reached;
        return { ok: true, output: null };
      },
    });
    const client = await connect(converseAbout(offer), revision);
    const stop = new AbortController();
    const call = client.callTool({ name: 'slow', arguments: {} }, { signal: stop.signal });
    await started.reached;
    stop.abort();
    await expect(call).rejects.toThrow();
    await aborted.reached;
    expect((await client.listTools()).tools).toHaveLength(2);
  });

  it('receives progress on request', async () => {
    const offer = new SmallOffer({
      steps: (_, { progress }) => {
        progress(1, 'files.read');
        progress(2, 'files.list', 2);
        return { ok: true, output: 'done' };
      },
    });
    const client = await connect(converseAbout(offer), revision);
    const heard: unknown[] = [];
    await client.callTool({ name: 'steps', arguments: {} }, { onprogress: (step) => heard.push(step) });
    expect(heard).toEqual([
      expect.objectContaining({ progress: 1, message: 'files.read' }),
      expect.objectContaining({ progress: 2, total: 2, message: 'files.list' }),
    ]);
  });

  it('reads resources, and gets an error for a missing one', async () => {
    const client = await connect(converseAbout(new SmallOffer()), revision);
    expect((await client.listResources()).resources).toMatchObject([{ uri: 'oka://run/1' }]);
    expect((await client.listResourceTemplates()).resourceTemplates).toMatchObject([
      { uriTemplate: 'oka://run/{id}' },
    ]);
    expect((await client.readResource({ uri: 'oka://run/1' })).contents).toEqual([
      { uri: 'oka://run/1', mimeType: 'text/plain', text: 'it ran' },
    ]);
    await expect(client.readResource({ uri: 'oka://run/2' })).rejects.toThrow('oka://run/2');
  });

  it('fills in prompts, and learns which arguments are missing', async () => {
    const client = await connect(converseAbout(new SmallOffer()), revision);
    expect((await client.listPrompts()).prompts).toMatchObject([{ name: 'greet' }]);
    const { messages } = await client.getPrompt({ name: 'greet', arguments: { whom: 'Ada' } });
    expect(messages).toEqual([{ role: 'user', content: { type: 'text', text: 'Greet Ada.' } }]);
    await expect(client.getPrompt({ name: 'greet' })).rejects.toThrow('needs the argument "whom"');
    await expect(client.getPrompt({ name: 'gret' })).rejects.toThrow('Did you mean "greet"?');
    const { completion } = await client.complete({
      ref: { type: 'ref/prompt', name: 'greet' },
      argument: { name: 'whom', value: 'al' },
    });
    expect(completion.values).toEqual(['alice', 'albert']);
  });
});

it('notifies a client of changes, and of the resources that it subscribed to', async () => {
  const offer = new SmallOffer();
  const client = await connect(converseAbout(offer), '2025-11-25');
  const heard: string[] = [];
  const last = gate();
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/resources/updated', ({ params }) => {
    heard.push(params.uri);
    if (params.uri === 'oka://run/1') last.reach();
  });
  await client.subscribeResource({ uri: 'oka://run/1' });
  offer.change({ what: 'tools' });
  offer.change({ what: 'resource', uri: 'oka://run/2' });
  offer.change({ what: 'resource', uri: 'oka://run/1' });
  await last.reached;
  expect(heard).toEqual(['tools', 'oka://run/1']);
});

it('notifies a client of the newest revision only of what it subscribed to', async () => {
  const offer = new SmallOffer();
  const client = await connect(converseAbout(offer), '2026-07-28');
  const heard: string[] = [];
  const last = gate();
  client.setNotificationHandler('notifications/tools/list_changed', () => void heard.push('tools'));
  client.setNotificationHandler('notifications/prompts/list_changed', () => {
    heard.push('prompts');
    last.reach();
  });
  await client.listen({ promptsListChanged: true });
  offer.change({ what: 'tools' });
  offer.change({ what: 'prompts' });
  await last.reached;
  expect(heard).toEqual(['prompts']);
});

it('logs at the level that the client set', async () => {
  const offer = new SmallOffer({
    talk: (_, { log }) => {
      log('debug', 'too fine');
      log('error', { what: 'coarse' });
      return { ok: true, output: null };
    },
  });
  const client = await connect(converseAbout(offer), '2025-11-25');
  const heard: unknown[] = [];
  client.setNotificationHandler('notifications/message', ({ params }) => void heard.push(params.data));
  await client.setLoggingLevel('warning');
  await client.callTool({ name: 'talk', arguments: {} });
  await client.ping();
  expect(heard).toEqual([{ what: 'coarse' }]);
});

it('continues after invalid lines', async () => {
  const conversation = converseAbout(new SmallOffer());
  for (const garbage of ['hello\n', '{"jsonrpc":\n', '[]\n', '\n', 'null\n', '\u0000\u0007\n', '{"id":1}\n'])
    conversation.input.write(garbage);
  const client = await connect(conversation, '2025-11-25');
  expect((await client.listTools()).tools).toHaveLength(1);
  expect(conversation.troubles.length).toBeGreaterThan(0);
});

it('writes messages and nothing else', async () => {
  const { input, output, ended } = converseAbout(new SmallOffer());
  let written = '';
  const answered = gate();
  output.on('data', (chunk: Buffer) => {
    written += chunk.toString();
    if (written.includes('"id":2')) answered.reach();
  });
  input.write(line(INITIALIZE));
  input.write('what is this?\n');
  input.write(line({ method: 'notifications/initialized' }));
  input.write(line({ id: 2, method: 'tools/list' }));
  await answered.reached;
  input.end();
  await ended;
  const messages = written
    .trimEnd()
    .split('\n')
    .map((text) => JSON.parse(text));
  expect(messages.map(({ jsonrpc, id }) => ({ jsonrpc, id }))).toEqual([
    { jsonrpc: '2.0', id: 1 },
    { jsonrpc: '2.0', id: 2 },
  ]);
});

it('ends when its input ends, and stops listening for changes', async () => {
  const offer = new SmallOffer();
  const conversation = converseAbout(offer);
  expect(offer.heardBy).toBe(1);
  conversation.input.end();
  await conversation.ended;
  expect(offer.heardBy).toBe(0);
});

it('ends on a message that exceeds the size limit', async () => {
  const conversation = converseAbout(new SmallOffer());
  conversation.input.write('x'.repeat(5 * 1_048_576));
  await conversation.ended;
  expect(conversation.troubles).toHaveLength(1);
});

it('stops on request', async () => {
  const conversation = converseAbout(new SmallOffer());
  conversation.end();
  await conversation.ended;
  expect(conversation.troubles).toEqual([]);
});
