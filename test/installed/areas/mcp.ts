// The MCP client over both transports, and the MCP server that `oka mcp serve` is.

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, McpServer } from '@modelcontextprotocol/server';
import { expect, onTestFinished, test } from 'vitest';
import * as z from 'zod';
import { Watched, type Workspace } from '../../cli/oka-process.ts';
import { FIXTURE } from '../../mcp/mcp-kit.ts';
import { connectHttp, newClient, REVISIONS } from '../../mcp-serve/clients.ts';
import { startDaemon } from '../installed-oka.ts';
import { type Area, allowAll, callTool, succeed } from './area.ts';

/** A server of the newest protocol over HTTP; it ends with the test. */
async function serveSums(): Promise<string> {
  const handler = createMcpHandler(() => {
    const server = new McpServer({ name: 'sums', version: '1' });
    server.registerTool('add', { inputSchema: z.object({ a: z.number(), b: z.number() }) }, ({ a, b }) => ({
      content: [{ type: 'text', text: String(a + b) }],
    }));
    return server;
  });
  const listen = toNodeHandler(handler);
  const server = createServer((request, response) => void listen(request as never, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`;
}

async function callBoth(workspace: Workspace): Promise<void> {
  expect(JSON.stringify(await callTool(workspace, 'mcp.notes.read', { id: 7 }))).toContain('7');
  expect(JSON.stringify(await callTool(workspace, 'mcp.sums.add', { a: 2, b: 3 }))).toContain('5');
}

export function mcpArea({ open }: Area): void {
  test('servers over stdio and HTTP are added, approved and called, also through the daemon', async () => {
    const workspace = await open();
    allowAll(workspace);
    const plan = (description: string): string[] => {
      const tools = [{ name: 'read', description, does: 'echo', annotations: { readOnlyHint: true } }];
      return ['node', FIXTURE, JSON.stringify({ tools })];
    };
    await succeed(workspace, 'mcp', 'add', 'notes', '--', ...plan('Reads.'));
    await succeed(workspace, 'mcp', 'add', 'sums', '--url', await serveSums());
    for (const name of ['notes', 'sums'])
      await succeed(workspace, 'mcp', 'test', name, '--approve', '--trust-hints');
    await callBoth(workspace);
    await startDaemon(workspace);
    await callBoth(workspace);
    await succeed(workspace, 'down');

    const declared = JSON.parse(workspace.text('.mcp.json'));
    [declared.mcpServers.notes.command, ...declared.mcpServers.notes.args] = plan('Reads it all.');
    workspace.put('.mcp.json', JSON.stringify(declared));
    await succeed(workspace, 'trust', '--yes');
    expect((await workspace.oka('mcp', 'test', 'notes')).stdout).toContain('+ Reads it all.');
  });

  test.each(REVISIONS)('oka mcp serve answers a client of revision %s over stdio', async (revision) => {
    const workspace = await open();
    const client = newClient(revision);
    const [command, ...args] = workspace.command;
    await client.connect(
      new StdioClientTransport({
        command: command as string,
        args: [...args, '-C', workspace.root, 'mcp', 'serve'],
        env: JSON.parse(JSON.stringify(workspace.environment)),
        stderr: 'ignore',
      }),
    );
    const read = await client.callTool({ name: 'files_read', arguments: { path: 'README.md' } });
    expect(read.structuredContent).toMatchObject({ content: workspace.text('README.md') });
    await client.close();
  });

  test('oka mcp serve answers a client over HTTP', async () => {
    const workspace = await open();
    const served = new Watched([...workspace.command, 'mcp', 'serve', '--http'], {
      cwd: workspace.root,
      env: workspace.environment,
    });
    const token = /Bearer (\w+)\n/.exec(await served.said(/Bearer \w+\n/))?.[1] as string;
    const client = await connectHttp((await served.said('/mcp\n', 'stdout')).trim(), '2026-07-28', token);
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('files_read');
    await client.close();
    served.kill('SIGINT');
    expect((await served.ended).exitCode).toBe(130);
  });
}
