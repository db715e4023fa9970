import { lstatSync } from 'node:fs';
import { request } from 'node:http';
import { dirname } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { DaemonStatus, RunAnswer, RunListItem } from '../../src/api/index.ts';
import { daemonSocket } from '../../src/config/index.ts';
import { kill } from '../support/kill.ts';
import { Gate } from './gate.ts';
import { BRIEF, toAnswer, Workspace, type WorkspaceOptions } from './oka-process.ts';

interface Status {
  readonly daemon: DaemonStatus | null;
}

/** A workspace whose daemon runs, and ends with the test. */
async function withDaemon(options: WorkspaceOptions = {}): Promise<{ workspace: Workspace; pid: number }> {
  const workspace = Workspace.trusted(options);
  const pid = await up(workspace);
  return { workspace, pid };
}

async function up(workspace: Workspace): Promise<number> {
  const { exitCode, data } = await workspace.answer<{ pid: number; already: boolean }>('up');
  expect({ exitCode, already: data.already }).toEqual({ exitCode: 0, already: false });
  onTestFinished(() => kill(data.pid));
  return data.pid;
}

const socketOf = ({ root, home }: Workspace): string => daemonSocket({ workspace: root, home }, {}).path;

async function status(workspace: Workspace): Promise<DaemonStatus | null> {
  return (await workspace.answer<Status>('status')).data.daemon;
}

/** Asks the daemon as any program of the same person can. */
function ask(
  workspace: Workspace,
  path: string,
  options: { method?: string; headers?: Record<string, string>; body?: string } = {},
): Promise<{ status: number | undefined; text: string }> {
  const { body, ...rest } = options;
  return new Promise((resolve, reject) => {
    const sent = request({ socketPath: socketOf(workspace), path, ...rest }, (response) => {
      let text = '';
      response.setEncoding('utf8').on('data', (part: string) => {
        text += part;
      });
      response.on('end', () => resolve({ status: response.statusCode, text }));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}

test('a command gives the same answer with and without a daemon, and oka down stops the daemon', async () => {
  const { workspace, pid } = await withDaemon();
  expect(await status(workspace)).toMatchObject({ pid, workspace: workspace.root });
  const through = await workspace.answer('do', BRIEF);
  expect(through).toMatchObject({ exitCode: 0, data: { run: { status: 'completed' } } });
  expect(workspace.text('BRIEF.md')).toMatch(/^# Brief of Garden\n/);
  expect((await workspace.refusal('runs', 'show', 'nobody')).error.code).toBe('engine.unknown_run');

  expect((await workspace.answer('down')).data).toEqual({ stopped: true, pid });
  expect(await status(workspace)).toBeNull();
  const without = await workspace.answer('runs', 'show', through.data.run.id);
  expect(without.data).toEqual(through.data);
  await workspace.verified();
});

test('a second daemon explains and exits, and the first keeps running', async () => {
  const { workspace, pid } = await withDaemon();
  expect((await workspace.answer('up')).data).toEqual({ pid, already: true });
  const second = await workspace.oka('up', '--foreground');
  expect(second).toMatchObject({ exitCode: 3, stdout: '' });
  expect(second.stderr).toContain(`process ${pid} is already the daemon of this workspace`);
  expect(await status(workspace)).toMatchObject({ pid });
});

test('files of a killed daemon do not block the next one', async () => {
  const { workspace, pid } = await withDaemon();
  kill(pid);
  expect(await workspace.answer('do', 'read README.md')).toMatchObject({ exitCode: 0 });
  expect(await up(workspace)).not.toBe(pid);
  expect(await workspace.answer('do', 'read README.md')).toMatchObject({ exitCode: 0 });
});

test('Ctrl-C releases the run in the daemon, and the daemon keeps running', async () => {
  const gate = new Gate();
  const { workspace, pid } = await withDaemon({ config: { hooks: [gate.hook('before_node')] } });
  const working = workspace.start('do', BRIEF, '--json');
  await gate.reached();
  working.kill('SIGINT');
  const ended = await working.ended;
  expect(ended.exitCode).toBe(130);
  const { run } = toAnswer<RunAnswer>(ended).data;
  await gate.open();
  expect(run.status).not.toBe('completed');
  expect(await status(workspace)).toMatchObject({ pid, calls: 0 });
  expect(await workspace.answer('runs', 'resume', run.id)).toMatchObject({
    exitCode: 0,
    data: { run: { id: run.id, status: 'completed' } },
  });
  await workspace.verified();
  expect(workspace.count('tool.completed')).toBe(1);
});

test('a run continues in the daemon after its client exits', async () => {
  const gate = new Gate();
  const { workspace } = await withDaemon({ config: { hooks: [gate.hook('before_node')] } });
  const working = workspace.start('do', BRIEF, '--json');
  await gate.reached();
  working.kill('SIGKILL');
  await working.ended;
  await gate.open();
  const { data } = await workspace.answer<{ runs: RunListItem[] }>('runs', 'list');
  const id = data.runs[0]?.id as string;
  // Asking to resume joins the work that is under way.
  expect(await workspace.answer('runs', 'resume', id)).toMatchObject({
    data: { run: { id, status: 'completed' } },
  });
  await workspace.verified();
  expect(workspace.count('run.claimed')).toBe(0);
});

test('a stopped daemon releases its runs, and another process finishes them', async () => {
  const gate = new Gate();
  const { workspace } = await withDaemon({ config: { hooks: [gate.hook('before_node')] } });
  const working = workspace.start('do', BRIEF, '--json');
  await gate.reached();
  expect((await workspace.answer<{ stopped: boolean }>('down')).data.stopped).toBe(true);
  const { run } = toAnswer<RunAnswer>(await working.ended).data;
  await gate.open();
  expect(await workspace.answer('runs', 'resume', run.id)).toMatchObject({
    data: { run: { status: 'completed' } },
  });
  await workspace.verified();
  expect(workspace.count('tool.completed')).toBe(1);
});

test('only the user can use the socket, and web pages cannot', async () => {
  const { workspace } = await withDaemon();
  const path = socketOf(workspace);
  expect(lstatSync(path).mode & 0o777).toBe(0o600);
  expect(lstatSync(dirname(path)).mode & 0o777).toBe(0o700);
  expect(await ask(workspace, '/v1/status', { headers: { origin: 'http://localhost' } })).toMatchObject({
    status: 403,
  });
});

test('an invalid call is rejected, and the daemon keeps running', async () => {
  const { workspace } = await withDaemon();
  for (const [operation, body, says] of [
    ['run.everything', '{}', 'run.everything'],
    ['vault.reveal', '{}', 'vault.reveal'],
    ['constructor', '{}', 'constructor'],
    ['runs.show', '{"arguments":"x"}', 'Invalid call'],
    ['runs.show', '{', 'Invalid call'],
  ] as const) {
    const { text } = await ask(workspace, `/v1/calls/1/${operation}`, { method: 'POST', body });
    const { error } = JSON.parse(text) as { error: { code: string; message: string } };
    expect(error.code).toBe('daemon.bad_call');
    expect(error.message).toContain(says);
  }
  const bell = await ask(workspace, '/v1/notify', { method: 'POST', body: '{"conv_name":1}' });
  expect(bell.status).toBe(400);
  expect(await status(workspace)).not.toBeNull();
});
