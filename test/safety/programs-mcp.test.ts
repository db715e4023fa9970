import { copyFileSync, existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRedactor, systemClock } from '../../src/kernel/index.ts';
import { ConfiguredServers } from '../../src/runtime/mcp/mcp-servers.ts';
import { FIXTURE } from '../mcp/mcp-kit.ts';
import { APPROVE_ALL } from '../support/approve-all.ts';
import { tempFolder } from '../support/temp-folder.ts';

const PLAN = JSON.stringify({ tools: [{ name: 'read', does: 'echo' }] });
/** Writes a file as soon as it starts. */
const HOSTILE = "require('node:fs').writeFileSync('started', '');";

function place(workspace = tempFolder(), home = join(tempFolder(), 'home')) {
  const servers = new ConfiguredServers({
    ...{ workspace, home, version: '0', clock: systemClock, redactor: createRedactor() },
    environment: (name) => (name === 'PATH' ? process.env['PATH'] : undefined),
    secret: async () => undefined,
    requireTrust: () => undefined,
    trust: APPROVE_ALL,
  });
  onTestFinished(() => servers.close());
  const call = () =>
    servers.servers.call('notes', 'read', {}, { signal: new AbortController().signal, run: 'r' });
  return { workspace, home, servers, call };
}

/** Adds a server whose script is in the workspace, and approves it. */
async function approved() {
  const found = place();
  const { workspace, servers } = found;
  copyFileSync(FIXTURE, join(workspace, 'server.mjs'));
  const launch = {
    transport: 'stdio' as const,
    command: process.execPath,
    args: ['server.mjs', PLAN],
    environment: {},
  };
  await servers.add({ name: 'notes', launch, user: false });
  const { hash } = await servers.test({ name: 'notes', by: 'tester' });
  await servers.test({ name: 'notes', by: 'tester', approve: { hash, trustHints: false } });
  return found;
}

it('starts a server whose script is the approved one', async () => {
  const { call, servers } = await approved();
  expect(await call()).toMatchObject({ isError: false });
  expect(await servers.list()).toMatchObject([{ status: 'approved' }]);
});

it('does not start a server whose script changed after its approval, until it is approved again', async () => {
  const { workspace, home } = await approved();
  const script = join(workspace, 'server.mjs');
  writeFileSync(script, HOSTILE);
  const { servers, call } = place(workspace, home);
  expect(await servers.list()).toMatchObject([{ status: 'changed' }]);
  expect(await servers.tools()).toEqual([]);
  await expect(call()).rejects.toMatchObject({
    code: 'mcp.changed',
    message: expect.stringContaining('oka mcp test notes --approve'),
  });
  expect(existsSync(join(workspace, 'started'))).toBe(false);

  copyFileSync(FIXTURE, script);
  writeFileSync(script, '// another version\n', { flag: 'a' });
  const { hash, changes } = await servers.test({ name: 'notes', by: 'tester' });
  expect(changes.join('\n')).toContain('server.mjs');
  await servers.test({ name: 'notes', by: 'tester', approve: { hash, trustHints: false } });
  expect(await call()).toMatchObject({ isError: false });
});

it('does not approve a script that changed after it was shown', async () => {
  const { workspace, servers } = await approved();
  writeFileSync(join(workspace, 'server.mjs'), '// another version\n', { flag: 'a' });
  const { hash } = await servers.test({ name: 'notes', by: 'tester' });
  writeFileSync(join(workspace, 'server.mjs'), HOSTILE);
  const approve = { hash, trustHints: false };
  await expect(servers.test({ name: 'notes', by: 'tester', approve })).rejects.toMatchObject({
    code: 'mcp.changed',
  });
});
