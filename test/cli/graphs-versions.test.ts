import { expect, test } from 'vitest';
import type { PatchAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const TWO = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'ask' },
    { node_id: 'ask', type: 'approval', question: 'Go on?', options: ['yes', 'no'], next: 'say' },
    { node_id: 'say', type: 'transform', expression: '{"said": "one"}', next: 'end' },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'two' },
);

/** A workspace with runs that wait at the approval of version 1, which has been patched to version 2 since. */
async function parked(runs: number, path = '.oka/graphs/two.json') {
  const workspace = Workspace.trusted({ files: { ...SMALL_PROJECT, [path]: JSON.stringify(TWO) } });
  const started: { id: string; approval: string }[] = [];
  for (let i = 0; i < runs; i++) {
    const { exitCode, data } = await workspace.answer('graph', 'run', path);
    expect({ exitCode, state: data.run.state }).toEqual({ exitCode: 4, state: 'ask' });
    started.push({ id: data.run.id, approval: data.run.waitingFor?.approval as string });
  }
  const { data } = await workspace.answer<PatchAnswer>(
    'graph',
    'patch',
    path,
    'say',
    'expression',
    JSON.stringify('{"said": "two"}'),
  );
  expect(data).toMatchObject({ version: '2', path });
  return { workspace, started };
}

const answer = (workspace: Workspace, approval: string) =>
  workspace.answer('approvals', 'approve', approval, '--answer', 'yes');

test('a run that waited during a patch finishes with its original version', async () => {
  const { workspace, started } = await parked(1);
  const [run] = started;
  const resumed = await workspace.answer('graph', 'resume', run?.id as string);
  expect(resumed).toMatchObject({ exitCode: 4, data: { run: { id: run?.id, status: 'waiting' } } });
  const done = await answer(workspace, run?.approval as string);
  expect(done).toMatchObject({ exitCode: 0, data: { run: { id: run?.id }, output: { said: 'one' } } });
  expect((await workspace.answer('graph', 'run', 'two')).data.run.graphHash).not.toBe(
    done.data.run.graphHash,
  );
  const replayed = await workspace.answer('graph', 'replay', run?.id as string);
  const again = await answer(workspace, replayed.data.run.waitingFor?.approval as string);
  expect(again.data.output).toEqual({ said: 'one' });
  await workspace.verified();
});

test('resume --repin prints the differences first, and the run finishes with the current version', async () => {
  const { workspace, started } = await parked(2);
  const [first, second] = started;
  const { exitCode, stderr } = await workspace.oka('graph', 'resume', second?.id as string, '--repin');
  expect(exitCode).toBe(4);
  const told = stderr.split('\n').filter((line) => line.startsWith('repin '));
  expect(told).toHaveLength(2);
  expect(told[0]).toMatch(/^repin .*version: 1 → 2$/);
  expect(told[1]).toMatch(/^repin .*say\.expression: .*one.* → .*two.*$/);
  expect((await answer(workspace, second?.approval as string)).data.output).toEqual({ said: 'two' });
  expect((await answer(workspace, first?.approval as string)).data.output).toEqual({ said: 'one' });
  expect(workspace.count('run.repinned')).toBe(1);
  await workspace.verified();
});

test('--repin rejects a graph without the current node of the run', async () => {
  const { workspace, started } = await parked(1);
  const [run] = started;
  const without = TWO.nodes
    .filter((node) => (node as { node_id: string }).node_id !== 'ask')
    .map((node) => ((node as { type: string }).type === 'start' ? { ...node, next: 'say' } : node));
  workspace.put('.oka/graphs/two.json', JSON.stringify({ ...TWO, version: 3, nodes: without }));
  const { exitCode, error } = await workspace.refusal('graph', 'resume', run?.id as string, '--repin');
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 1, code: 'engine.pins_changed' });
  expect(error.data).toMatchObject({ run: run?.id, state: 'ask' });
  expect((await answer(workspace, run?.approval as string)).data.output).toEqual({ said: 'one' });
});

test('--repin rejects an invalid graph and leaves the run unchanged', async () => {
  const { workspace, started } = await parked(1);
  const [run] = started;
  workspace.put('.oka/graphs/two.json', JSON.stringify({ ...TWO, start: 'nowhere' }));
  expect(await workspace.refusal('graph', 'resume', run?.id as string, '--repin')).toMatchObject({
    exitCode: 3,
    error: { code: 'graph.invalid' },
  });
  expect((await answer(workspace, run?.approval as string)).data.output).toEqual({ said: 'one' });
});

test('a run of a deleted graph finishes with its pinned version', async () => {
  const { workspace, started } = await parked(1);
  const [run] = started;
  workspace.put('.oka/graphs/two.json', '{ torn');
  expect((await answer(workspace, run?.approval as string)).data.output).toEqual({ said: 'one' });
});

test('--repin of a run started by a path uses the file at that path', async () => {
  const { workspace, started } = await parked(1, 'flows/two.json');
  const [run] = started;
  expect(await workspace.answer('graph', 'resume', run?.id as string, '--repin')).toMatchObject({
    exitCode: 4,
  });
  expect((await answer(workspace, run?.approval as string)).data.output).toEqual({ said: 'two' });
});
