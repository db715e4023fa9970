import { fileURLToPath } from 'node:url';
import { expect, onTestFinished, test } from 'vitest';
import type { RunAnswer } from '../../src/api/index.ts';
import { Workspace } from '../cli/oka-process.ts';

const SERVER = fileURLToPath(new URL('fixture-server.mjs', import.meta.url));
const PLAN = JSON.stringify({ tools: [{ name: 'read', does: 'echo' }] });
const GRAPH = {
  id: 'notes',
  name: 'notes',
  version: 1,
  start: 'start',
  execution_defaults: { guarantee_mode: 'bounded', timeout_seconds: 60, max_retries: 0 },
  nodes: [
    { node_id: 'start', type: 'start', next: 'a' },
    { node_id: 'a', type: 'tool', tool: 'mcp.notes.read', args: {}, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};
const POLICY =
  '| match | decision | why |\n|---|---|---|\n| `mcp.notes.read and any input` | allow | the test allows it |\n';

test('a running daemon offers the tools of a server once the user approves it, until it is removed', async () => {
  const workspace = Workspace.trusted();
  workspace.putAtHome('POLICY.md', POLICY);
  workspace.put('.oka/graphs/notes.json', JSON.stringify(GRAPH));
  await workspace.answer('up');
  onTestFinished(async () => void (await workspace.answer('down')));
  await workspace.answer('do', 'read README.md');
  await workspace.oka('mcp', 'add', 'notes', '--', process.execPath, SERVER, PLAN);
  await workspace.answer('mcp', 'test', 'notes', '--approve');
  const { data } = await workspace.answer<RunAnswer>('graph', 'run', 'notes');
  expect(data.run).toMatchObject({ status: 'completed' });

  await workspace.answer('mcp', 'remove', 'notes');
  const tools = await workspace.answer<{ tools: { name: string }[] }>('tools', 'list');
  expect(tools.data.tools.map(({ name }) => name)).not.toContain('mcp.notes.read');
});
