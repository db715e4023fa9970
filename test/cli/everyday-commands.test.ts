import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { ValidateAnswer } from '../../src/api/index.ts';
import { echoGraph } from '../installed/areas/area.ts';
import { kill } from '../support/kill.ts';
import { Workspace } from './oka-process.ts';

/** A trusted workspace with a folder in it, where commands run. */
function workspaceWithFolder(): Workspace {
  const workspace = Workspace.trusted();
  mkdirSync(workspace.at('beds/roses'), { recursive: true });
  return workspace;
}

test('a command in a folder of a workspace uses the workspace', async () => {
  const workspace = workspaceWithFolder();
  workspace.put('.oka/graphs/echo.json', echoGraph('echo'));
  const folder = workspace.at('beds/roses');
  const there = await workspace.okaWith({ folder }, 'graph', 'list', '--json');
  expect(JSON.parse(there.stdout)).toMatchObject({ data: { graphs: [{ id: 'echo' }] } });
  const { data } = await workspace.answer('-C', 'beds', 'graph', 'run', 'echo');
  expect(data.run.status).toBe('completed');
  expect(workspace.has('beds/.oka')).toBe(false);
});

test('paths in arguments are relative to the current folder', async () => {
  const workspace = workspaceWithFolder();
  workspace.put('beds/plan.json', echoGraph('plan'));
  workspace.put('beds/input.json', '{"a":1}');
  workspace.put('beds/note.md', 'Roses.\n');
  const inBeds = (...args: string[]) => workspace.answer<never>('-C', 'beds', ...args);
  expect(await inBeds('graph', 'validate', 'plan.json')).toMatchObject({
    data: { valid: true } as ValidateAnswer,
  });
  expect(await inBeds('graph', 'validate', './plan')).toMatchObject({ data: { valid: true } });
  const { data } = await workspace.answer('-C', 'beds', 'graph', 'run', 'plan', '--input', 'input.json');
  expect(data.output).toMatchObject({ got: { a: 1 } });
  expect(await workspace.answer('context', 'scan')).toMatchObject({ exitCode: 0 });
  expect(await inBeds('context', 'put-frame', 'note.md', 'note.md')).toMatchObject({
    data: { frame: { path: 'beds/note.md' } },
  });
  expect(await inBeds('context', 'get-node', '../README.md')).toMatchObject({ exitCode: 0 });
  expect(await inBeds('graph', 'schedule', 'add', 'plan.json', '--on-change', 'roses')).toMatchObject({
    data: { schedule: { onChange: 'beds/roses' } },
  });
  expect(await inBeds('backup', 'create', '../../garden.tar.gz', '--force')).toMatchObject({ exitCode: 0 });
  expect(await inBeds('backup', 'verify', '../../garden.tar.gz')).toMatchObject({ data: { ok: true } });
});

test('init in a folder of a workspace needs --here, and then trusts only that folder', async () => {
  const workspace = workspaceWithFolder();
  const refused = await workspace.refusal('-C', 'beds', 'init', '--trust');
  expect(refused).toMatchObject({ exitCode: 2, error: { code: 'cli.usage' } });
  expect(refused.error.message).toContain('oka init --here');
  expect(workspace.has('beds/.oka')).toBe(false);
  const made = await workspace.answer<{ workspace: string }>('-C', 'beds', 'init', '--trust', '--here');
  expect(made.data).toMatchObject({ workspace: workspace.at('beds'), created: true, trusted: true });
  const { data } = await workspace.answer<{ workspaces: { path: string }[] }>('trust', 'list');
  expect(data.workspaces.map(({ path }) => path).sort()).toEqual(
    [workspace.root, workspace.at('beds')].sort(),
  );
});

test('graph new --from copies an example of the gallery with the graphs that it calls', async () => {
  const workspace = workspaceWithFolder();
  const { data } = await workspace.answer<{ examples: { name: string; description: string }[] }>(
    'graph',
    'gallery',
  );
  expect(data.examples.map(({ name }) => name)).toContain('nightly-brief');
  expect(data.examples.every(({ description }) => description !== '')).toBe(true);
  for (const { name } of data.examples) {
    const made = await workspace.answer('graph', 'new', `my-${name}`, '--from', name);
    expect(made.data).toMatchObject({ id: `my-${name}`, path: `.oka/graphs/my-${name}.json` });
  }
  expect(workspace.has('.oka/graphs/links-in-file.json')).toBe(true);
  expect((await workspace.answer('graph', 'run', 'my-nightly-brief')).data.run.status).toBe('completed');

  const again = await workspace.refusal('graph', 'new', 'my-nightly-brief', '--from', 'nightly-brief');
  expect(again.error.code).toBe('graph.exists');
  const unknown = await workspace.refusal('graph', 'new', 'other', '--from', 'nightly-bref');
  expect(unknown.error.message).toContain('Did you mean "nightly-brief"?');
  const outside = await new Workspace().refusal('graph', 'new', 'brief', '--from', 'nightly-brief');
  expect(outside).toMatchObject({ exitCode: 3, error: { code: 'config.no_workspace' } });
});

test('config sets values for the next command, also outside a workspace', async () => {
  const workspace = workspaceWithFolder();
  expect((await workspace.oka('config', 'get', 'limits.steps')).exitCode).toBe(1);
  expect(await workspace.answer('config', 'set', 'limits.steps', '1')).toMatchObject({ exitCode: 0 });
  expect(JSON.parse(workspace.homeText('config.json'))).toEqual({ limits: { steps: 1 } });
  const limited = await workspace.answer('do', 'write a brief of this folder to BRIEF.md');
  expect(limited.data.run.waitingFor).toMatchObject({ what: 'budget' });
  await workspace.answer('config', 'unset', 'limits.steps');
  await workspace.answer('-C', 'beds', 'config', 'set', 'sandbox', 'required', '--project');
  expect(JSON.parse(workspace.text('.oka/config.json'))).toEqual({ sandbox: 'required' });
  expect((await workspace.answer('config', 'list')).data).toEqual({
    settings: [{ name: 'sandbox', value: 'required', from: 'project' }],
  });
  const outside = new Workspace();
  expect((await outside.answer('config', 'path')).data).toEqual({
    file: join(outside.home, 'config.json'),
    exists: false,
  });
  expect(await outside.refusal('config', 'set', 'sandbox', 'off', '--project')).toMatchObject({
    error: { code: 'config.no_workspace' },
  });
});

test('logs prints the log of the daemon, and reports a missing log', async () => {
  const workspace = workspaceWithFolder();
  const before = await workspace.oka('logs');
  expect(before).toMatchObject({ exitCode: 0, stdout: '' });
  expect(before.stderr).toMatch(/^No logs yet\./);
  const following = workspace.start('logs', '--follow');
  await following.said('No logs yet');
  const { data } = await workspace.answer<{ pid: number }>('up');
  onTestFinished(() => kill(data.pid));
  expect(await following.said('the daemon is ready', 'stdout')).toContain(`pid=${data.pid}`);
  await workspace.answer('down');
  await following.said('the daemon stops', 'stdout');
  following.kill('SIGINT');
  expect((await following.ended).exitCode).toBe(130);
  const { stdout } = await workspace.oka('-C', 'beds', 'logs', '--since', '1h');
  expect(stdout.trimEnd().split('\n').at(-1)).toMatch(
    /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d {2}daemon {5}the daemon stops$/,
  );
  expect(await workspace.refusal('logs', '--run', 'none')).toMatchObject({
    error: { code: 'engine.unknown_run' },
  });
});

test('version prints the versions and the kind of installation, and update prints its commands without running them', async () => {
  const workspace = new Workspace();
  const version = await workspace.answer<{ oka: string; sqlite: string }>('version');
  expect(version.data).toMatchObject({ node: process.versions.node, installation: 'checkout' });
  expect(version.data.sqlite).toMatch(/^3\.\d+\.\d+$/);
  const { data } = await workspace.answer<{ commands: string[] }>('update');
  expect(data.commands[0]).toMatch(/^git -C .+ pull$/);
});

test.each([
  ['an empty value', 'Authorization=Bearer ', /shell may have replaced a placeholder/],
  ['a placeholder without braces', 'Authorization=Bearer $TOKEN', /incomplete placeholder/],
  ['a literal secret', 'Authorization=Bearer abc', /stored in the file as it is/],
])('mcp add warns of %s', async (_, header, warning) => {
  const workspace = workspaceWithFolder();
  const { exitCode, stderr } = await workspace.oka(
    'mcp',
    'add',
    's',
    '--url',
    'http://127.0.0.1:9/mcp',
    '--header',
    header,
  );
  expect(exitCode).toBe(0);
  expect(stderr).toMatch(warning);
  expect(stderr).toContain(`--header 'Authorization=Bearer \${vault:NAME}'`);
});

test('mcp add does not warn of a placeholder', async () => {
  const workspace = workspaceWithFolder();
  const header = `Authorization=Bearer \${vault:search}`;
  const { stderr } = await workspace.oka(
    'mcp',
    'add',
    's',
    '--url',
    'http://127.0.0.1:9/mcp',
    '--header',
    header,
  );
  expect(stderr).not.toContain('!');
});
