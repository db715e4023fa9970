// Unattended runs on a machine without bubblewrap.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';
import type { RunAnswer, RunListItem } from '../../src/api/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { tempFolder } from '../support/temp-folder.ts';

const GRAPH = {
  id: 'water',
  name: 'water',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 0 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'a' },
    { node_id: 'a', type: 'tool', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};
const PROGRAM_CALL = { tool: 'process.run', args: { argv: ['touch', 'ran'] } };
const SERVER = fileURLToPath(new URL('../mcp/fixture-server.mjs', import.meta.url));
const POLICY = [
  '| match | decision | why |',
  '|---|---|---|',
  '| `process.run and any input` | allow | the test allows it |',
  '| `mcp.notes.read and any input` | allow | the test allows it |',
  '',
].join('\n');

/** A folder with these programs only. */
function fewPrograms(): string {
  const folder = join(tempFolder(), 'bin');
  mkdirSync(folder);
  for (const name of ['touch', 'sh', 'true', 'unshare', 'setpriv'])
    symlinkSync(`/usr/bin/${name}`, join(folder, name));
  return folder;
}

/** Fires the schedule of a graph that calls one tool, where only these programs are installed. */
async function fire(
  config: object,
  call: object = PROGRAM_CALL,
): Promise<{ workspace: Workspace; code: string | undefined; status: string }> {
  const graph = {
    ...GRAPH,
    nodes: GRAPH.nodes.map((node) => (node.type === 'tool' ? { ...node, ...call } : node)),
  };
  const workspace = new Workspace({ files: { '.oka/graphs/water.json': JSON.stringify(graph) } });
  workspace.put(
    '.oka/config.json',
    JSON.stringify({ hooks: [{ on: 'before_run', command: ['touch', 'hooked'] }] }),
  );
  workspace.putAtHome('config.json', JSON.stringify(config));
  workspace.putAtHome('POLICY.md', POLICY);
  const PATH = fewPrograms();
  await workspace.answer('init', '--trust');
  const plan = JSON.stringify({ tools: [{ name: 'read', does: 'echo' }] });
  // Approved on a machine with a sandbox.
  await workspace.oka('mcp', 'add', 'notes', '--', process.execPath, SERVER, plan);
  await workspace.answer('mcp', 'test', 'notes', '--approve');
  await workspace.answer('graph', 'schedule', 'add', 'water', '* * * * * *', '--misfire', 'one');
  const tick = ['graph', 'schedule', 'tick', '--json'];
  // The schedule is due every second.
  for (let fired = 0; fired === 0; ) {
    const { stdout } = await workspace.startIn(workspace.root, { PATH }, ...tick).ended;
    fired = (JSON.parse(stdout) as { data: { fired: unknown[] } }).data.fired.length;
  }
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const shown = await workspace.answer('runs', 'show', data.runs[0]?.id ?? '');
  const { failure, status } = shown.data.run;
  return { workspace, code: failure?.code, status };
}

test('a schedule starts neither programs nor hooks without a sandbox', async () => {
  const { workspace, code } = await fire({});
  expect(code).toBe('process.sandbox_required');
  expect([workspace.has('ran'), workspace.has('hooked')]).toEqual([false, false]);
});

test('a schedule starts both if the user’s own configuration says so', async () => {
  const { workspace } = await fire({ sandbox: 'off' });
  expect([workspace.has('ran'), workspace.has('hooked')]).toEqual([true, true]);
});

test('a schedule does not start an MCP server without a sandbox', async () => {
  const { code } = await fire({}, { tool: 'mcp.notes.read', args: {} });
  expect(code).toBe('process.sandbox_required');
});

test('a schedule starts an MCP server if the user’s own configuration says so', async () => {
  const { code, status } = await fire({ sandbox: 'off' }, { tool: 'mcp.notes.read', args: {} });
  expect({ code, status }).toEqual({ code: undefined, status: 'completed' });
});

test('a program of an attended run asks without a sandbox, and runs once it is approved', async () => {
  const workspace = Workspace.trusted();
  const PATH = fewPrograms();
  const oka = (...args: string[]) => workspace.startIn(workspace.root, { PATH }, ...args, '--json').ended;
  const asked = await oka('tools', 'call', 'process.run', '{"argv":["touch","ran"]}');
  expect(asked.exitCode).toBe(4);
  expect(asked.stdout).toContain('NO SANDBOX');
  expect(workspace.has('ran')).toBe(false);
  const { run } = (JSON.parse(asked.stdout) as { data: RunAnswer }).data;
  const approved = await oka('approvals', 'approve', run.id);
  expect(approved).toMatchObject({ exitCode: 0 });
  expect(workspace.has('ran')).toBe(true);
});
