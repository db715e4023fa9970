import { expect, onTestFinished, test } from 'vitest';
import type { DaemonStatus, TrustView } from '../../src/api/index.ts';
import { Workspace } from '../cli/oka-process.ts';
import { noTerminal, Terminal } from '../cli/terminal.ts';
import { kill } from '../support/kill.ts';
import { graph, hook } from './trust-kit.ts';

const config = (...markers: readonly string[]): string =>
  JSON.stringify({ hooks: markers.map((marker) => hook(marker)) });

test('without a terminal, changes are refused with exit 4 until --yes approves them', async () => {
  const workspace = new Workspace();
  workspace.put('.oka/config.json', config('first'));
  const { stderr } = await workspace.oka('init', '--trust');
  expect(stderr).toContain('This folder contains: 1 hook');
  expect(await workspace.answer('trust')).toMatchObject({ exitCode: 0 });

  workspace.put('.oka/config.json', config('first', 'second'));
  expect(await workspace.refusal('trust')).toMatchObject({
    exitCode: 4,
    error: {
      code: 'config.trust_changed',
      data: { items: [{ kind: 'hook', name: 'before_run: touch second', state: 'new' }] },
    },
  });
  const done = await workspace.oka('do', 'read README.md');
  expect(done.exitCode).toBe(0);
  expect(done.stderr).toContain('hook "before_run: touch second" is new');
  expect([workspace.has('first'), workspace.has('second')]).toEqual([true, false]);

  const { data } = await workspace.answer<TrustView>('trust', '--yes');
  expect(data.items.map(({ state }) => state)).toEqual(['approved', 'approved']);
  await workspace.answer('do', 'read README.md');
  expect(workspace.has('second')).toBe(true);
});

test('trust is listed, shown and revoked', async () => {
  const workspace = new Workspace();
  expect(await workspace.refusal('trust')).toMatchObject({
    exitCode: 3,
    error: { code: 'config.no_workspace' },
  });
  await workspace.answer('init');
  expect(await workspace.refusal('trust')).toMatchObject({
    exitCode: 4,
    error: { code: 'config.not_trusted' },
  });
  await workspace.answer('trust', '--yes');
  expect((await workspace.oka('trust', 'show')).stdout).toContain('nothing that acts by itself');
  expect((await workspace.oka('trust', 'list')).stdout).toContain(workspace.root);
  expect(await workspace.answer('trust', 'revoke')).toMatchObject({
    exitCode: 0,
    data: { path: workspace.root, revoked: true },
  });
  expect(await workspace.refusal('do', 'read README.md')).toMatchObject({
    exitCode: 4,
    error: { code: 'config.not_trusted' },
  });
});

test.skipIf(noTerminal)('the first prompt lists what would act, and a later one shows the diff', async () => {
  const workspace = new Workspace();
  workspace.put('.oka/config.json', config('first'));
  workspace.put('.mcp.json', JSON.stringify({ mcpServers: { notes: { command: 'true' } } }));
  const first = new Terminal(workspace, ['init']);
  await first.shows(/This folder contains: 1 hook, 1 MCP server/);
  await first.shows(/Trust the files/);
  first.type('y');
  await first.shows(/Which model should agents use\?/);
  first.press('Enter');
  expect(await first.exitCode()).toBe(0);
  workspace.put('.mcp.json', JSON.stringify({ mcpServers: { notes: { command: 'false' } } }));
  const second = new Terminal(workspace, ['trust']);
  await second.shows(/\+ +"command": "false"/);
  second.type('n');
  expect(await second.exitCode()).toBe(4);
});

test('a running daemon runs no hook and fires no schedule that changed, and uses an approval without a restart', async () => {
  const workspace = new Workspace();
  await workspace.answer('init', '--trust');
  workspace.put('.oka/graphs/water.json', JSON.stringify(graph('water', 'mine')));
  const { data } = await workspace.answer<{ pid: number }>('up');
  onTestFinished(() => kill(data.pid));
  await workspace.answer('do', 'read README.md');
  await workspace.answer('graph', 'schedule', 'add', 'water', '0 0 1 1 *');

  workspace.put('.oka/config.json', config('stolen'));
  workspace.put('.oka/graphs/water.json', JSON.stringify(graph('water', 'stolen')));
  const { stderr } = await workspace.oka('do', 'read README.md');
  expect(stderr).toContain('touch stolen');
  expect(workspace.has('stolen')).toBe(false);
  expect(await workspace.refusal('graph', 'schedule', 'trigger', 'water-1')).toMatchObject({
    exitCode: 4,
    error: { code: 'config.trust_changed' },
  });
  const { daemon } = (await workspace.answer<{ daemon: DaemonStatus }>('status')).data;
  expect(daemon.warnings.map(({ message }) => message)).toContainEqual(
    expect.stringContaining('touch stolen'),
  );

  await workspace.answer('trust', '--yes');
  await workspace.answer('do', 'read README.md');
  expect(workspace.has('stolen')).toBe(true);
  expect(await workspace.answer('graph', 'schedule', 'trigger', 'water-1')).toMatchObject({
    exitCode: 0,
    data: { run: { status: 'completed' } },
  });
});
