import { existsSync, readFileSync, statSync } from 'node:fs';
import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { expect, it, onTestFinished } from 'vitest';
import { PROGRAM, Watched, Workspace } from '../cli/oka-process.ts';
import { connectHttp, newClient, REVISIONS } from './clients.ts';

const GREETING = JSON.stringify({
  id: 'greeting',
  name: 'Greeting',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 30, max_retries: 0 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'read' },
    { node_id: 'read', type: 'tool', tool: 'files.read', args: { path: 'README.md' }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
});

function environment(workspace: Workspace): Record<string, string> {
  return { PATH: process.env['PATH'] ?? '', HOME: workspace.home, OKA_HOME: workspace.home };
}

/** `oka mcp serve` as a client starts it. */
function transportOf(workspace: Workspace, ...args: readonly string[]): StdioClientTransport {
  return new StdioClientTransport({
    command: process.execPath,
    args: [PROGRAM, '-C', workspace.root, 'mcp', 'serve', ...args],
    env: environment(workspace),
    stderr: 'ignore',
  });
}

function start(workspace: Workspace, ...args: readonly string[]): Watched {
  return new Watched([process.execPath, PROGRAM, 'mcp', 'serve', ...args], {
    cwd: workspace.root,
    env: environment(workspace),
  });
}

it.each(REVISIONS)('serves a client of revision %s that starts it', async (revision) => {
  const workspace = Workspace.trusted();
  workspace.put('.oka/graphs/greeting.json', GREETING);
  const client = newClient(revision);
  await client.connect(transportOf(workspace, '--tools', 'files.write,files.delete'));
  const names = (await client.listTools()).tools.map(({ name }) => name);
  expect(names).toEqual(
    expect.arrayContaining(['files_read', 'files_write', 'files_delete', 'graph_greeting']),
  );
  const read = await client.callTool({ name: 'files_read', arguments: { path: 'README.md' } });
  expect(read.structuredContent).toMatchObject({ content: workspace.text('README.md') });
  const run = await client.callTool({ name: 'graph_greeting', arguments: {} });
  expect(run.structuredContent).toMatchObject({ content: workspace.text('README.md') });
  await client.callTool({ name: 'files_write', arguments: { path: 'new.md', content: 'new' } });
  expect(workspace.text('new.md')).toBe('new');
  const asked = await client.callTool({ name: 'files_delete', arguments: { path: 'new.md' } });
  expect(asked.isError).toBe(true);
  await client.close();

  const approval = String(asked._meta?.['oka/approval']);
  expect(workspace.has('new.md')).toBe(true);
  await workspace.answer('approvals', 'approve', approval);
  expect(workspace.has('new.md')).toBe(false);
  await workspace.verified();
});

it('writes nothing but messages to stdout, and ends with its input', async () => {
  const served = start(Workspace.trusted());
  const { stdin } = served.child;
  stdin?.write('good morning\n{"id":1}\n');
  stdin?.write(
    `${JSON.stringify({
      jsonrpc: '2.0',
      id: 1,
      method: 'initialize',
      params: {
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: { name: 'tests', version: '1' },
      },
    })}\n`,
  );
  await served.said('"id":1', 'stdout');
  stdin?.end();
  const { exitCode, stdout, stderr } = await served.ended;
  expect(exitCode).toBe(0);
  expect(
    stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual([expect.objectContaining({ jsonrpc: '2.0', id: 1 })]);
  expect(stderr).toContain('warning');
});

it('ends on a signal, like every command', async () => {
  const served = start(Workspace.trusted(), '--http');
  await served.said('Bearer');
  served.kill('SIGTERM');
  expect((await served.ended).exitCode).toBe(143);
});

it('prints the token once, stores it for its owner only, and removes it at the end', async () => {
  const workspace = Workspace.trusted();
  const served = start(workspace, '--http');
  const said = await served.said(/Bearer \w+\n/);
  const token = /Bearer (\w+)\n/.exec(said)?.[1] as string;
  const file = workspace.at('.oka/run/mcp-token');
  expect(readFileSync(file, 'utf8')).toBe(`${token}\n`);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  const url = (await served.said('/mcp\n', 'stdout')).trim();
  const client = await connectHttp(url, '2026-07-28', token);
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('files_read');
  await client.close();
  served.kill('SIGINT');
  const { stdout, stderr } = await served.ended;
  expect(existsSync(file)).toBe(false);
  expect(stdout).not.toContain(token);
  expect(stderr.split(token)).toHaveLength(2);
});

it('answers in JSON with its address and the path of the token, not the token', async () => {
  const workspace = Workspace.trusted();
  const served = start(workspace, '--http', '--json');
  const line = await served.said('\n', 'stdout');
  expect(JSON.parse(line)).toEqual({
    version: 1,
    ok: true,
    data: {
      url: expect.stringMatching(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/),
      tokenFile: workspace.at('.oka/run/mcp-token'),
    },
  });
});

it('refuses a workspace that is not trusted, unknown tools, and a port without --http', async () => {
  const untrusted = new Workspace();
  expect((await untrusted.refusal('mcp', 'serve')).error.code).toBe('config.not_trusted');
  const workspace = Workspace.trusted();
  const unknown = await workspace.refusal('mcp', 'serve', '--tools', 'files.raed');
  expect(unknown).toMatchObject({ exitCode: 3, error: { code: 'engine.unknown_tool' } });
  expect(unknown.error.message).toContain('Did you mean "files.read"?');
  expect((await workspace.refusal('mcp', 'serve', '--port', '1')).error.code).toBe('cli.usage');
  expect((await workspace.refusal('mcp', 'serve', '--http', '--port', '70000')).error.code).toBe('cli.usage');
  expect((await workspace.refusal('mcp', 'serve', '--tools', 'a,,b')).error.code).toBe('cli.usage');
});

it('leaves its call to another process when it is killed', async () => {
  const workspace = Workspace.trusted();
  const transport = transportOf(workspace, '--tools', 'engine.wait');
  const client = new Client({ name: 'tests', version: '1' });
  await client.connect(transport);
  onTestFinished(() => client.close());
  const tail = new Watched([process.execPath, PROGRAM, 'ledger', 'tail', '--follow', '--json'], {
    cwd: workspace.root,
    env: environment(workspace),
  });
  const call = client.callTool({ name: 'engine_wait', arguments: { seconds: 10 } }).catch(() => 'cut off');
  const said = await tail.said('tool.pending', 'stdout');
  process.kill(transport.pid as number, 'SIGKILL');
  expect(await call).toBe('cut off');
  const run = /run\/(\w+)/.exec(said)?.[1] as string;
  const { data } = await workspace.answer('runs', 'resume', run);
  expect(data.run.status).toBe('completed');
});
