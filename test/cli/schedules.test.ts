import { mkdirSync, renameSync, symlinkSync } from 'node:fs';
import { hostname } from 'node:os';
import { describe, expect, onTestFinished, test } from 'vitest';
import type { FiredItem, RunListItem, ScheduleItem } from '../../src/api/index.ts';
import { onOwnProcess } from '../support/server-environment.ts';
import { Gate } from './gate.ts';
import { Workspace, type WorkspaceOptions } from './oka-process.ts';

const EVERY_SECOND = '* * * * * *';

function graphText(id: string, extra: object = {}): string {
  return JSON.stringify({
    id,
    name: `the graph ${id}`,
    version: 1,
    start: 'start',
    execution_defaults: { guarantee_mode: 'bounded' },
    nodes: [
      { node_id: 'start', type: 'start', next: 'a' },
      { node_id: 'a', type: 'transform', expression: '{"got": $}', next: 'end' },
      { node_id: 'end', type: 'end' },
    ],
    ...extra,
  });
}

function gardener(options: WorkspaceOptions = {}): Workspace {
  const workspace = Workspace.trusted(options);
  workspace.put('.oka/graphs/water.json', graphText('water'));
  return workspace;
}

const schedule = (...args: readonly string[]): readonly string[] => ['graph', 'schedule', ...args];

/** The background process of a workspace; it does not outlast the test. */
async function start(workspace: Workspace): Promise<{ pid: number; already: boolean }> {
  const { exitCode, data } = await workspace.answer<{ pid: number; already: boolean }>(...schedule('start'));
  expect(exitCode).toBe(0);
  onTestFinished(() => void kill(data.pid));
  return data;
}

async function stop(workspace: Workspace): Promise<{ stopped: boolean; pid?: number }> {
  return (await workspace.answer<{ stopped: boolean; pid?: number }>(...schedule('stop'))).data;
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL');
  } catch {
    // It has ended.
  }
}

/** Waits until a run is completed. */
async function completed(workspace: Workspace): Promise<void> {
  const statuses = async () => (await runsOf(workspace)).map(({ status }) => status);
  await expect.poll(statuses, { timeout: 30_000 }).toContain('completed');
}

/** A disabled schedule that has fired once, with a pending run. */
async function firedOnly(workspace: Workspace): Promise<void> {
  await workspace.answer(...schedule('add', 'water', EVERY_SECOND));
  for (let fired: readonly FiredItem[] = []; fired.length === 0; ) {
    const { data } = await workspace.answer<{ fired: FiredItem[] }>(...schedule('tick', '--no-drive'));
    fired = data.fired;
  }
  await workspace.answer(...schedule('off', 'water-1'));
}

async function runsOf(workspace: Workspace): Promise<readonly RunListItem[]> {
  return (await workspace.answer<{ runs: RunListItem[] }>('runs', 'list')).data.runs;
}

describe('schedules on the command line', () => {
  test('are added, listed, disabled, enabled and deleted', async () => {
    const workspace = gardener();
    workspace.put('input.json', '{"litres": 3}');
    const add = schedule('add', 'water', '30 6 * * *', '--zone', 'Europe/Berlin', '--input', 'input.json');
    const { data } = await workspace.answer<{ schedule: ScheduleItem }>(...add, '--misfire', 'all');
    expect(data.schedule).toMatchObject({
      id: 'water-1',
      graph: 'water',
      cron: '30 6 * * *',
      zone: 'Europe/Berlin',
      enabled: true,
      misfire: 'all',
      overlap: 'skip',
      dst: 'run_after',
      input: { litres: 3 },
    });
    expect(data.schedule.next).toHaveLength(3);
    const { stdout } = await workspace.oka(...schedule('list'));
    expect(stdout).toMatch(
      /water-1 +water +30 6 \* \* \* +Europe\/Berlin +never +(\d{4}-\d\d-\d\d 06:30(, )?){3} *\n/,
    );
    const off = await workspace.answer<{ schedule: ScheduleItem }>(...schedule('off', 'water-1'));
    expect(off.data.schedule).toMatchObject({ enabled: false, next: [] });
    const on = await workspace.answer<{ schedule: ScheduleItem }>(...schedule('on', 'water-1'));
    expect(on.data.schedule).toMatchObject({ enabled: true });
    const gone = await workspace.answer(...schedule('delete', 'water-1'));
    expect(gone.data).toEqual({ deleted: 'water-1' });
    expect((await workspace.answer(...schedule('list'))).data).toEqual({ schedules: [] });
  });

  test('store the graph by id, or by path if it is elsewhere', async () => {
    const workspace = gardener();
    workspace.put('plans/weed.json', graphText('weed'));
    const added = async (graph: string): Promise<string> =>
      (await workspace.answer<{ schedule: ScheduleItem }>(...schedule('add', graph, '@daily'))).data.schedule
        .graph;
    expect(await added('.oka/graphs/water.json')).toBe('water');
    expect(await added('plans/weed.json')).toBe('plans/weed.json');
    const { data } = await workspace.answer(...schedule('trigger', 'weed-1'));
    expect(data).toMatchObject({ run: { status: 'completed' }, output: { got: null } });
  });

  test('are rejected with the problem if they cannot work', async () => {
    const workspace = gardener();
    workspace.put('.oka/graphs/picky.json', graphText('picky', { input_schema: { type: 'object' } }));
    const refusals = [
      { args: ['water', '61 * * * *'], code: 'schedule.invalid_cron', exitCode: 3 },
      { args: ['water', '0 0 30 2 *'], code: 'schedule.never_fires', exitCode: 3 },
      { args: ['water', '@daily', '--zone', 'Berlin'], code: 'schedule.unknown_zone', exitCode: 3 },
      { args: ['wather', '@daily'], code: 'graph.unknown', exitCode: 3 },
      { args: ['picky', '@daily'], code: 'graph.input_invalid', exitCode: 3 },
      { args: ['water', '--on-change', '../other'], code: 'files.outside_workspace', exitCode: 3 },
      { args: ['water', '@daily', '--input', '-'], code: 'cli.invalid_json', exitCode: 3 },
      { args: ['water', '@daily', '--input', 'gone.json'], code: 'cli.usage', exitCode: 2 },
      { args: ['water'], code: 'cli.usage', exitCode: 2 },
      { args: ['water', '@daily', '--on-change', 'src'], code: 'cli.usage', exitCode: 2 },
      { args: ['water', '--on-change', 'src', '--zone', 'UTC'], code: 'cli.usage', exitCode: 2 },
    ];
    for (const { args, code, exitCode } of refusals) {
      const refused = await workspace.refusal(...schedule('add', ...args));
      expect({ args, code: refused.error.code, exitCode: refused.exitCode }).toEqual({
        args,
        code,
        exitCode,
      });
    }
    const unknown = await workspace.refusal(...schedule('off', 'water-9'));
    expect(unknown).toMatchObject({ exitCode: 3, error: { code: 'schedule.unknown' } });
  });

  onOwnProcess('fire with tick, which executes the runs unless --no-drive is given', async () => {
    const workspace = gardener();
    await firedOnly(workspace);
    expect(await runsOf(workspace)).toMatchObject([{ status: 'pending' }]);
    const { data } = await workspace.answer(...schedule('tick'));
    expect(data).toEqual({ fired: [], failures: [] });
    expect(await runsOf(workspace)).toMatchObject([{ status: 'completed' }]);
  });

  test('need a trusted workspace', async () => {
    const workspace = new Workspace();
    await workspace.answer('init');
    workspace.put('.oka/graphs/water.json', graphText('water'));
    for (const args of [['add', 'water', '@daily'], ['tick'], ['trigger', 'water-1']]) {
      const { exitCode, error } = await workspace.refusal(...schedule(...args));
      expect({ args, exitCode, code: error.code }).toEqual({ args, exitCode: 4, code: 'config.not_trusted' });
    }
    expect((await workspace.answer(...schedule('list'))).data).toEqual({ schedules: [] });
    const started = await workspace.refusal(...schedule('start'));
    expect(started).toMatchObject({ exitCode: 4, error: { code: 'config.not_trusted' } });
    expect(await stop(workspace)).toEqual({ stopped: false });
  });
});

describe('the background process', () => {
  onOwnProcess('fires schedules until it is stopped', async () => {
    const workspace = gardener();
    await workspace.answer(...schedule('add', 'water', EVERY_SECOND));
    const { pid, already } = await start(workspace);
    expect(already).toBe(false);
    expect(JSON.parse(workspace.text('.oka/run/scheduler.json'))).toMatchObject({
      pid,
      owner: expect.stringMatching(new RegExp(`^${pid}@`)),
      startedAt: expect.any(Number),
      log: workspace.at('.oka/run/scheduler.log'),
    });
    await completed(workspace);
    expect(await stop(workspace)).toEqual({ stopped: true, pid });
    expect(workspace.has('.oka/run/scheduler.json')).toBe(false);
    expect(workspace.text('.oka/run/scheduler.log')).toContain('fired water-1@');
    expect(await stop(workspace)).toEqual({ stopped: false });
    const runs = await runsOf(workspace);
    expect(runs.filter(({ status }) => status !== 'completed').length).toBeLessThanOrEqual(1);
    // The run that was under way at the stop is finished by the next process.
    await workspace.answer(...schedule('off', 'water-1'));
    await start(workspace);
    const statuses = async () => new Set((await runsOf(workspace)).map(({ status }) => status));
    await expect.poll(statuses, { timeout: 30_000 }).toEqual(new Set(['completed']));
    await stop(workspace);
    await workspace.verified();
  });

  test('runs once, even if several commands start it', async () => {
    const workspace = gardener();
    const answers = await Promise.all([1, 2, 3].map(() => start(workspace)));
    expect(answers.filter(({ already }) => !already)).toHaveLength(1);
    expect(new Set(answers.map(({ pid }) => pid)).size).toBe(1);
    const pid = answers[0]?.pid;
    expect(await start(workspace)).toEqual({ pid, already: true });
    expect(await workspace.refusal(...schedule('loop'))).toMatchObject({
      exitCode: 1,
      error: { code: 'schedule.not_started', data: { pid } },
    });
    expect(await stop(workspace)).toEqual({ stopped: true, pid });
  });

  onOwnProcess('can be restarted after a kill, and continues the unfinished work', async () => {
    const workspace = gardener();
    const first = await start(workspace);
    kill(first.pid);
    expect(workspace.has('.oka/run/scheduler.json')).toBe(true);
    await firedOnly(workspace);
    const second = await start(workspace);
    expect(second).toMatchObject({ already: false });
    expect(second.pid).not.toBe(first.pid);
    expect(JSON.parse(workspace.text('.oka/run/scheduler.json'))).toMatchObject({ pid: second.pid });
    await completed(workspace);
    expect(await stop(workspace)).toEqual({ stopped: true, pid: second.pid });
    expect(await runsOf(workspace)).toMatchObject([{ status: 'completed' }]);
  });

  onOwnProcess('exits in time even if it cannot release a run, which then continues elsewhere', async () => {
    const workspace = gardener();
    const gate = new Gate();
    workspace.configure({ hooks: [gate.hook('before_node')] });
    await workspace.answer(...schedule('add', 'water', EVERY_SECOND));
    const { pid } = await start(workspace);
    await gate.reached();
    await workspace.answer(...schedule('off', 'water-1'));
    expect(await stop(workspace)).toEqual({ stopped: true, pid });
    await gate.open();
    await workspace.answer(...schedule('tick'));
    expect(await runsOf(workspace)).toMatchObject([{ status: 'completed' }]);
    await workspace.verified();
  });

  test('fires when something changes below a watched path', async () => {
    const workspace = gardener();
    await workspace.answer(...schedule('add', 'water', '--on-change', 'notes'));
    await start(workspace);
    workspace.put('README.md', '# Another garden\n');
    workspace.put('notes/new.md', '# Beans\n');
    await completed(workspace);
    await stop(workspace);
    expect(workspace.count('schedule.fired')).toBe(1);
  });

  test('is distinguished from another process with its pid', async () => {
    const workspace = gardener();
    const record = { pid: process.pid, owner: `${process.pid}@${hostname()}#1`, startedAt: 1, log: 'x' };
    workspace.put('.oka/run/scheduler.json', JSON.stringify(record));
    expect(await stop(workspace)).toEqual({ stopped: false });
    const { pid, already } = await start(workspace);
    expect(already).toBe(false);
    expect(await stop(workspace)).toEqual({ stopped: true, pid });
  });

  test('does not write through links', async () => {
    const workspace = gardener();
    mkdirSync(workspace.at('.oka/run'), { recursive: true });
    renameSync(workspace.at('.oka/run'), workspace.at('elsewhere'));
    symlinkSync(workspace.at('elsewhere'), workspace.at('.oka/run'));
    const refused = await workspace.refusal(...schedule('start'));
    expect(refused.error.code).toBe('config.link_refused');
    expect(workspace.has('elsewhere/scheduler.log')).toBe(false);
  });
});
