import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { createRedactor, OkaError, systemClock } from '../../src/kernel/index.ts';
import { ConfiguredServers } from '../../src/runtime/mcp/mcp-servers.ts';
import { APPROVE_ALL } from '../support/approve-all.ts';
import { call, finish, makeEngine, openApproval, plannerOf } from '../support/engine-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { fixture, reference } from './mcp-kit.ts';

function place(options: { workspace?: string; home?: string; trusted?: () => boolean } = {}) {
  const { workspace = tempFolder(), home = join(tempFolder(), 'home'), trusted = () => true } = options;
  const servers = new ConfiguredServers({
    workspace,
    home,
    version: '0',
    clock: systemClock,
    redactor: createRedactor(),
    environment: (name) => (name === 'PATH' ? process.env['PATH'] : undefined),
    secret: async () => undefined,
    trust: APPROVE_ALL,
    requireTrust: () => {
      if (!trusted()) throw new OkaError('config.not_trusted', 'not trusted.');
    },
  });
  onTestFinished(() => servers.close());
  return { workspace, home, servers };
}

const NOTES = fixture({ tools: [{ name: 'read', does: 'echo' }] });

it('lets a server act after it was added and approved, and remembers the approval for the next process', async () => {
  const { workspace, home, servers } = place();
  const environment = { MEMORY_FILE_PATH: join(workspace, 'memory.jsonl') };
  const launch = { ...reference('memory'), environment } as never;
  await servers.add({ name: 'memory', launch, user: false });
  expect(await servers.list()).toMatchObject([{ name: 'memory', status: 'new', tools: [] }]);
  expect(await servers.tools()).toEqual([]);
  const refused = servers.servers.call('memory', 'read_graph', {}, { signal: AbortSignal.any([]), run: 'r' });
  await expect(refused).rejects.toMatchObject({ code: 'mcp.not_approved' });

  const seen = await servers.test({ name: 'memory', by: 'tester' });
  expect(seen).toMatchObject({ server: { status: 'new' }, changes: [] });
  const approve = { hash: seen.hash, trustHints: true };
  const approved = await servers.test({ name: 'memory', by: 'tester', approve });
  expect(approved.server).toMatchObject({ status: 'approved', trustHints: true });

  const next = place({ workspace, home }).servers;
  const tools = await next.tools();
  expect(tools.find(({ name }) => name === 'mcp.memory.create_entities')?.sideEffect).toBe(
    'external_mutation',
  );
  expect(tools.find(({ name }) => name === 'mcp.memory.read_graph')?.sideEffect).toBe('read');
  const entity = { name: 'bed', entityType: 'place', observations: [] };
  const calls = [call('mcp.memory.create_entities', { entities: [entity] }), call('mcp.memory.read_graph')];
  const planner = plannerOf(({ evidence }) => calls[evidence.length] ?? finish(evidence[1]?.output));
  const { engine } = makeEngine(planner, tools, {
    capabilities: { mcp: next.servers },
    clock: systemClock,
  } as never);
  const waiting = await engine.run({ kind: 'test', goal: 'remember' });
  await engine.decide((await openApproval(engine)).id, { kind: 'approve' }, 'tester');
  expect((await engine.resume(waiting.id)).output).toMatchObject({ structured: { entities: [entity] } });
});

it('approves only the inspected content', async () => {
  const { servers } = place();
  await servers.add({ name: 'notes', launch: NOTES, user: false });
  const approve = { hash: 'f'.repeat(64), trustHints: false };
  await expect(servers.test({ name: 'notes', by: 'tester', approve })).rejects.toMatchObject({
    code: 'mcp.changed',
  });
  expect(await servers.list()).toMatchObject([{ status: 'new' }]);
});

it('detects the changed command of an approved server without starting anything', async () => {
  const { workspace, servers } = place();
  await servers.add({ name: 'notes', launch: NOTES, user: false });
  await servers.test({ name: 'notes', by: 'tester', approve: { trustHints: false } });
  expect(await servers.tools()).toHaveLength(1);
  const file = join(workspace, '.mcp.json');
  writeFileSync(file, readFileSync(file, 'utf8').replace('fixture-server', 'other-server'));
  expect(await servers.list()).toMatchObject([{ status: 'changed', tools: ['read'] }]);
  expect(await servers.tools()).toEqual([]);
});

it('keeps the person’s own server when a workspace declares one of the same name', async () => {
  const { workspace, home, servers } = place();
  await servers.add({ name: 'notes', launch: NOTES, user: true });
  await servers.test({ name: 'notes', by: 'tester', approve: { trustHints: false } });
  writeFileSync(join(workspace, '.mcp.json'), JSON.stringify({ mcpServers: { notes: { command: 'evil' } } }));
  expect(await servers.list()).toMatchObject([{ name: 'notes', from: 'user', status: 'approved' }]);
  expect(await place({ home }).servers.list()).toMatchObject([{ name: 'notes', status: 'approved' }]);
});

it('does not use a disabled server, and forgets the approval of a removed one', async () => {
  const { workspace, servers } = place();
  await servers.add({ name: 'notes', launch: NOTES, user: false });
  await servers.test({ name: 'notes', by: 'tester', approve: { trustHints: false } });
  const file = join(workspace, '.mcp.json');
  const { mcpServers } = JSON.parse(readFileSync(file, 'utf8'));
  writeFileSync(file, JSON.stringify({ mcpServers: { notes: { ...mcpServers.notes, disabled: true } } }));
  expect(await servers.tools()).toEqual([]);
  const options = { signal: AbortSignal.any([]), run: 'r' };
  await expect(servers.servers.call('notes', 'read', {}, options)).rejects.toMatchObject({ code: 'mcp.off' });
  await servers.remove('notes');
  await servers.add({ name: 'notes', launch: NOTES, user: false });
  expect(await servers.list()).toMatchObject([{ status: 'new' }]);
  await expect(servers.remove('nots')).rejects.toMatchObject({
    code: 'mcp.unknown_server',
    message: expect.stringContaining('Did you mean "notes"?'),
  });
});

it('reads nothing of a workspace that is not trusted', async () => {
  const workspace = tempFolder();
  writeFileSync(join(workspace, '.mcp.json'), 'not even JSON');
  const { servers } = place({ workspace, trusted: () => false });
  const refusal = { code: 'config.not_trusted' };
  await expect(servers.list()).rejects.toMatchObject(refusal);
  await expect(servers.test({ name: 'a', by: 'tester' })).rejects.toMatchObject(refusal);
  await expect(servers.add({ name: 'a', launch: NOTES, user: false })).rejects.toMatchObject(refusal);
  await expect(servers.tools()).rejects.toMatchObject(refusal);
});
