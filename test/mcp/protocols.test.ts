import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { fixture, mcpKit, reference } from './mcp-kit.ts';

const MODERN = {
  transport: 'stdio' as const,
  command: process.execPath,
  args: [fileURLToPath(new URL('modern-server.mjs', import.meta.url))],
  environment: {},
};

it('speaks the newest protocol with a server that supports no other', async () => {
  const kit = mcpKit();
  expect(await kit.connections.inspect('modern', MODERN)).toMatchObject({ protocol: '2026-07-28' });
  await kit.approve('modern', MODERN);
  expect(await kit.call('modern', 'add', { a: 2, b: 3 })).toMatchObject({ content: [{ text: '5' }] });
});

it('refuses a request for input by a tool of the newest protocol, and continues', async () => {
  const kit = mcpKit();
  await kit.approve('modern', MODERN);
  await expect(kit.call('modern', 'confirm')).rejects.toMatchObject({
    code: 'mcp.tool_failed',
    message: expect.stringContaining('elicitation'),
  });
  expect(await kit.call('modern', 'add', { a: 1, b: 1 })).toMatchObject({ content: [{ text: '2' }] });
});

it('speaks the previous protocol with servers that do not know the newest', async () => {
  const kit = mcpKit();
  expect(await kit.connections.inspect('everything', reference('everything'))).toMatchObject({
    protocol: '2025-11-25',
  });
});

it.each([['leaves'], ['silent']])(
  'falls back to the previous protocol for an older server that does not answer the probe (%s)',
  async (habit) => {
    const log = join(tempFolder(), 'log');
    const kit = mcpKit({ limits: { probeMs: 50 } });
    const launch = fixture({ [habit]: true, log });
    expect(await kit.connections.inspect('old', launch)).toMatchObject({ protocol: '2025-11-25' });
    expect(readFileSync(log, 'utf8')).toContain('initialize 2025-11-25');
  },
);

it.each(['2025-06-18', '2024-11-05', '1999-01-01'])('refuses a server that speaks %s', async (protocol) => {
  const kit = mcpKit();
  await expect(kit.connections.inspect('old', fixture({ protocol }))).rejects.toMatchObject({
    code: 'mcp.unsupported_protocol',
    message: expect.stringContaining(protocol),
  });
});

it.each(['sampling/createMessage', 'elicitation/create', 'nonsense'])(
  'answers a server request for %s with an error',
  async (method) => {
    const kit = mcpKit();
    await kit.approve('asks', fixture({ tools: [{ name: 'ask', does: 'ask' }] }));
    const { content } = await kit.call('asks', 'ask', { method });
    expect(JSON.parse(String(content[0]?.['text']))).toMatchObject({
      code: -32601,
      message: expect.stringContaining(method),
    });
  },
);

it('shows a local server the folder of the workspace as its root', async () => {
  const kit = mcpKit();
  await kit.approve('asks', fixture({ tools: [{ name: 'ask', does: 'ask' }] }));
  const { content } = await kit.call('asks', 'ask', { method: 'roots/list' });
  const { roots } = JSON.parse(String(content[0]?.['text']));
  expect(roots.map(({ uri }: { uri: string }) => fileURLToPath(uri))).toEqual([kit.folder]);
});
