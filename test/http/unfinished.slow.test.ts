// Runs that nobody watches: each face starts one that waits, the daemon is killed, and they end by themselves.
import { expect, test } from 'vitest';
import type { RunAnswer, RunListItem } from '../../src/api/index.ts';
import { idOfKey } from '../../src/kernel/index.ts';
import { Oka } from '../../src/runtime/index.ts';
import { Gate } from '../cli/gate.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { kill } from '../support/kill.ts';
import { DaemonWeb } from './daemon-kit.ts';

function graph(id: string, seconds: number): string {
  const definition = defineGraph(
    [
      { node_id: 'start', type: 'start', next: 'rest' },
      { node_id: 'rest', type: 'wait', seconds, next: 'note' },
      {
        ...{ node_id: 'note', type: 'tool', tool: 'files.write', next: 'end' },
        args: { path: '{{input.face}}.txt', content: 'done' },
      },
      { node_id: 'end', type: 'end' },
    ],
    { id, mode: 'flex' } as never,
  );
  return JSON.stringify(definition);
}

const FILES = {
  ...Object.fromEntries(
    ['schedule-undisturbed', 'schedule-killed', 'command-undisturbed', 'command-killed'].map((face) => [
      `${face}.json`,
      JSON.stringify({ face }),
    ]),
  ),
  '.oka/graphs/nap.json': graph('nap', 1),
  '.oka/graphs/rest.json': graph('rest', 0.01),
  '.oka/POLICY.md': '# Policy\n\n| match | decision | why |\n|---|---|---|\n| files.write | allow | test |\n',
};

/** Starts a run of a graph through each face. Returns the ids by face. The web app posts what `api` posts. */
async function startOnEachFace(
  daemon: DaemonWeb,
  name: string,
  time: string,
): Promise<ReadonlyMap<string, string>> {
  const { workspace } = daemon;
  const inputOf = (face: string) => ({ face: `${face}-${time}` });
  const runs = new Map<string, string>();
  const api = await daemon.post<RunAnswer>(`/v1/graphs/${name}/run`, { input: inputOf('api') });
  expect(api).toMatchObject({ status: 202 });
  runs.set(inputOf('api').face, api.data.run.id);

  const oka = new Oka({ workspace: workspace.root, home: workspace.home });
  const request = { vars: {}, budgets: {}, simulate: false, patienceMs: 0 };
  const { run } = await oka.graphs.run({ graph: name, input: inputOf('library'), ...request });
  runs.set(inputOf('library').face, run.id);
  await oka.close();

  const schedule = ['graph', 'schedule', 'add', name, '0 0 1 1 *', '--input', `schedule-${time}.json`];
  const { id } = (await workspace.answer<{ schedule: { id: string } }>(...schedule)).data.schedule;
  const fired = await daemon.post<RunAnswer>(`/v1/schedules/${id}/trigger`, {});
  runs.set(inputOf('schedule').face, fired.data.run.id);

  const key = ['--key', inputOf('command').face];
  const command = workspace.start(
    'graph',
    'run',
    name,
    '--input',
    `command-${time}.json`,
    ...key,
    '--stream-json',
  );
  await command.said('run.started', 'stdout');
  runs.set(inputOf('command').face, idOfKey(inputOf('command').face));
  return runs;
}

async function untilAllEnded(daemon: DaemonWeb, runs: ReadonlyMap<string, string>): Promise<void> {
  const stream = await daemon.follow('?after=0');
  const ends = () =>
    stream.events.flatMap(({ data }) => (data['type'] === 'run.completed' ? [data['run']] : []));
  await stream.until(() => [...runs.values()].every((run) => ends().includes(run)));
  stream.close();
  for (const face of runs.keys()) expect(daemon.workspace.text(`${face}.txt`)).toBe('done');
}

test('a run that waits a second ends by itself, whichever face started it, also after the daemon is killed', async () => {
  const daemon = await DaemonWeb.start({ files: FILES });
  await untilAllEnded(daemon, await startOnEachFace(daemon, 'nap', 'undisturbed'));

  const again = await startOnEachFace(daemon, 'nap', 'killed');
  kill(daemon.pid);
  await daemon.up();
  await untilAllEnded(daemon, again);
  await daemon.workspace.answer('down');
});

test('a run that is killed in the middle is interrupted on every face, and continues with the next daemon', async () => {
  const gate = new Gate();
  const daemon = await DaemonWeb.start({ files: FILES, config: { hooks: [gate.hook('before_node')] } });
  const { workspace } = daemon;
  const started = await daemon.post<RunAnswer>('/v1/graphs/rest/run', { input: { face: 'api' } });
  expect(started).toMatchObject({ status: 202 });
  await gate.reached();
  kill(daemon.pid);
  const run = started.data.run.id;
  const interrupted = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list', '--waiting');
  expect(interrupted.data.runs).toMatchObject([{ id: run, status: 'interrupted' }]);
  expect((await workspace.oka('runs', 'list')).stdout).toContain('interrupted');
  expect((await workspace.oka('status')).stdout).toMatch(/interrupted +1 .*oka up/);
  await gate.open();
  await daemon.up();
  await untilAllEnded(daemon, new Map([['api', run]]));
  expect(workspace.count('tool.completed')).toBeGreaterThan(0);
  await workspace.answer('down');
});

test('interrupted runs wait for a person if the configuration says so', async () => {
  const gate = new Gate();
  const config = { hooks: [gate.hook('before_node')], execution: { interrupted: 'wait' } };
  const daemon = await DaemonWeb.start({ files: FILES, config });
  const { workspace } = daemon;
  const started = await daemon.post<RunAnswer>('/v1/graphs/rest/run', { input: { face: 'api' } });
  expect(started).toMatchObject({ status: 202 });
  await gate.reached();
  kill(daemon.pid);
  await gate.open();
  await daemon.up();
  // A run that waits a second ends, so the daemon has looked at what is unfinished.
  const other = await daemon.post<RunAnswer>('/v1/graphs/nap/run', { input: { face: 'other' } });
  await untilAllEnded(daemon, new Map([['other', other.data.run.id]]));
  const { run } = (await workspace.answer('runs', 'show', started.data.run.id)).data;
  expect(run.status).toBe('interrupted');
  const resumed = await workspace.answer<{ runs: RunListItem[] }>('runs', 'resume', '--all');
  expect(resumed.data.runs).toMatchObject([{ id: run.id, status: 'completed' }]);
  await workspace.answer('down');
});
