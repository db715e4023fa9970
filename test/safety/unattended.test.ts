// Runs that nobody waits for, on a machine without bubblewrap.
import { mkdirSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import type { RunListItem } from '../../src/api/index.ts';
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
    { node_id: 'a', type: 'tool', tool: 'process.run', args: { argv: ['touch', 'ran'] }, next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
};
const POLICY =
  '| match | decision | why |\n|---|---|---|\n| `process.run and any input` | allow | the test allows it |\n';

/** Fires the schedule of the graph where only these programs are installed. */
async function fire(config: object): Promise<{ workspace: Workspace; code: string | undefined }> {
  const workspace = new Workspace({ files: { '.oka/graphs/water.json': JSON.stringify(GRAPH) } });
  workspace.put(
    '.oka/config.json',
    JSON.stringify({ hooks: [{ on: 'before_run', command: ['touch', 'hooked'] }] }),
  );
  workspace.putAtHome('config.json', JSON.stringify(config));
  workspace.putAtHome('POLICY.md', POLICY);
  const PATH = join(tempFolder(), 'bin');
  mkdirSync(PATH);
  for (const name of ['touch', 'sh', 'true', 'unshare', 'setpriv'])
    symlinkSync(`/usr/bin/${name}`, join(PATH, name));
  await workspace.answer('init', '--trust');
  await workspace.answer('graph', 'schedule', 'add', 'water', '* * * * * *', '--misfire', 'one');
  const tick = ['graph', 'schedule', 'tick', '--json'];
  // The schedule is due every second.
  for (let fired = 0; fired === 0; ) {
    const { stdout } = await workspace.startIn(workspace.root, { PATH }, ...tick).ended;
    fired = (JSON.parse(stdout) as { data: { fired: unknown[] } }).data.fired.length;
  }
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const shown = await workspace.answer('runs', 'show', data.runs[0]?.id ?? '');
  return { workspace, code: shown.data.run.failure?.code };
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
