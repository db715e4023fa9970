// What goes on without a terminal: the daemon, schedules, triggers on changed files, agents and conversations.

import { readFileSync } from 'node:fs';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonStatus } from '../../../src/api/index.ts';
import { daemonSocket } from '../../../src/config/index.ts';
import { BRIEF, type Workspace } from '../../cli/oka-process.ts';
import { kill } from '../../support/kill.ts';
import { Collector } from '../../telemetry/collector.ts';
import { startDaemon } from '../installed-oka.ts';
import { type Area, echoGraph, SCRIPTED, script, succeed } from './area.ts';

/** Passes when the ledger tells of an event of this type. */
async function told(workspace: Workspace, type: string): Promise<void> {
  const tail = workspace.start('ledger', 'tail', '--follow', '--last', '100');
  await tail.said(type, 'stdout');
  tail.kill('SIGTERM');
  await tail.ended;
}

/** Port and token of the daemon's web server. */
function webState({ root, home }: Workspace): { readonly token: string } {
  return JSON.parse(readFileSync(`${daemonSocket({ workspace: root, home }, {}).path}.web.json`, 'utf8'));
}

const GRAPH = { '.oka/graphs/water.json': echoGraph('water'), 'notes/a.md': 'a' };

export function workArea({ open }: Area): void {
  test('the daemon starts, answers and stops', async () => {
    const workspace = await open();
    const pid = await startDaemon(workspace);
    const { data } = await workspace.answer<{ daemon: DaemonStatus }>('status');
    expect(data.daemon).toMatchObject({ pid, workspace: workspace.root });
    expect((await workspace.answer('do', BRIEF)).data).toMatchObject({ run: { status: 'completed' } });
    expect(workspace.text('BRIEF.md')).toMatch(/^# Brief of Garden\n/);
    expect((await workspace.answer('down')).data).toEqual({ stopped: true, pid });
    await workspace.verified();
  });

  test('the daemon serves the web app and the HTTP API', async () => {
    const workspace = await open();
    await startDaemon(workspace);
    const { data } = await workspace.answer<{ url: string }>('web', '--no-open');
    const { origin } = new URL(data.url);
    expect((await fetch(data.url, { redirect: 'manual' })).status).toBe(303);
    expect(await (await fetch(origin)).text()).toContain('<!doctype html>');
    expect(await succeed(workspace, 'web', '--no-open', '/runs')).toContain(origin);
    const { token } = webState(workspace);
    const get = (path: string) =>
      fetch(`${origin}${path}`, { headers: { authorization: `Bearer ${token}` } });
    expect(await (await get('/v1/session')).json()).toMatchObject({ folder: workspace.root });
    expect(await (await get('/v1/openapi.json')).json()).toMatchObject({ openapi: '3.1.0' });
    for (const path of ['/v1/overview', '/v1/runs']) expect((await get(path)).status, path).toBe(200);
    const events = await get('/v1/events');
    expect(events.headers.get('content-type')).toBe('text/event-stream');
    await succeed(workspace, 'down');
    expect(await events.text()).toMatch(/^id: \d+\nevent: ready\n/);
  });

  test('a command sends telemetry, and the daemon serves its metrics', async () => {
    const collector = await Collector.open();
    const workspace = await open({
      userConfig: { telemetry: { otlp: collector.url, prometheus: 'open', json_logs: true } },
    });
    await succeed(workspace, 'do', BRIEF);
    expect(collector.span('invoke_agent agent')).toMatchObject({ isError: false });
    await startDaemon(workspace);
    const { data } = await workspace.answer<{ url: string }>('web', '--no-open');
    const metrics = await fetch(new URL('/metrics', data.url));
    expect(await metrics.text()).toContain('oka_ledger_head');
    await succeed(workspace, 'down');
  });

  test('a simulation is reported, kept and explained, and changes nothing', async () => {
    const workspace = await open();
    const { data } = await workspace.answer('do', BRIEF, '--simulate');
    expect(data).toMatchObject({ run: { simulated: true }, wouldChange: [{ path: 'BRIEF.md' }] });
    expect(workspace.has('BRIEF.md')).toBe(false);
    expect(await succeed(workspace, 'runs', 'show', data.run.id)).toContain('simulated');
    await succeed(workspace, 'runs', 'explain', data.run.id);
    await workspace.verified();
  });

  test('a schedule fires in the daemon and in a process of its own', async () => {
    const workspace = await open({ files: GRAPH });
    await succeed(workspace, 'graph', 'schedule', 'add', 'water', '* * * * * *');
    await startDaemon(workspace);
    await told(workspace, 'run.completed');
    await succeed(workspace, 'down');
    const { data } = await workspace.answer<{ pid: number }>('graph', 'schedule', 'start');
    onTestFinished(() => kill(data.pid));
    await succeed(workspace, 'graph', 'schedule', 'stop');
    await succeed(workspace, 'graph', 'schedule', 'trigger', 'water-1');
    await succeed(workspace, 'graph', 'schedule', 'list');
  });

  test.each([
    ['the daemon', ['up'], ['down']],
    ['a process of its own', ['graph', 'schedule', 'start'], ['graph', 'schedule', 'stop']],
  ])('a changed file starts a graph in %s', async (_who, begin, end) => {
    const workspace = await open({ files: GRAPH });
    await succeed(workspace, 'graph', 'schedule', 'add', 'water', '--on-change', 'notes');
    const { data } = await workspace.answer<{ pid: number }>(...begin);
    onTestFinished(() => kill(data.pid));
    workspace.put('notes/new.md', '# Beans\n');
    await told(workspace, 'run.completed');
    await succeed(workspace, ...end);
  });

  test('a watch of the context tree follows changes', async () => {
    const workspace = await open();
    const watching = workspace.start('context', 'watch');
    await watching.said(/\S/, 'stderr');
    workspace.put('notes/new.md', '# Beans\n');
    await watching.said('notes/new.md', 'stdout');
    watching.kill('SIGINT');
    expect((await watching.ended).exitCode).toBe(130);
  });

  test('a YAML file is checked without a model', async () => {
    const workspace = await open();
    workspace.put('beds.yaml', 'beds: [1\n');
    expect(await succeed(workspace, 'do', 'is beds.yaml valid?')).toContain('not valid YAML: line');
  });

  test('hooks are started with the event', async () => {
    const hook = { on: 'after_run', command: ['sh', '-c', 'cat >> "$0"', 'events.jsonl'] };
    const workspace = await open({ config: { hooks: [hook] } });
    await succeed(workspace, 'do', 'read README.md');
    expect(JSON.parse(workspace.text('events.jsonl'))).toMatchObject({
      hook: 'after_run',
      status: 'completed',
    });
  });

  test('an agent answers in a conversation, in a process of its own and in the daemon', async () => {
    const workspace = await open({
      files: { 'script.json': script({ text: 'Good day.' }) },
      config: SCRIPTED,
    });
    await succeed(workspace, 'agent', 'new', 'ada', '--provider', 'scripted', '--script', 'script.json');
    await succeed(workspace, 'chat', 'new', 'room', '--no-input');
    const { data } = await workspace.answer<{ pid: number }>('agent', 'run', 'ada', '--detach');
    onTestFinished(() => kill(data.pid));
    await succeed(workspace, 'chat', 'send', 'room', '@ada hello');
    await told(workspace, 'run.completed');
    await succeed(workspace, 'agent', 'stop', 'ada');
    await startDaemon(workspace);
    await succeed(workspace, 'chat', 'send', 'room', '@ada are you there');
    await expect
      .poll(async () => (await workspace.oka('chat', 'view', 'room')).stdout.split('Good day.').length, {
        timeout: 300_000,
      })
      .toBe(3);
    await succeed(workspace, 'chat', 'trace', 'room');
  });
}
