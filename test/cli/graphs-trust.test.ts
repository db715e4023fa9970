import { readdirSync } from 'node:fs';
import { expect, test } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { ValidateAnswer } from '../../src/api/index.ts';
import { defineGraph } from '../support/graph-kit.ts';
import { SMALL_PROJECT, Workspace } from './oka-process.ts';

const FILE = '.oka/graphs/strange.json';

const STRANGE = defineGraph(
  [
    { node_id: 'start', type: 'start', next: 'write' },
    {
      node_id: 'write',
      type: 'tool',
      tool: 'files.write',
      args: { path: 'made.txt', content: 'x' },
      next: 'end',
    },
    { node_id: 'end', type: 'end' },
  ],
  { id: 'strange' },
);

/** A workspace of somebody else's, with a hook that would act if anything did. */
function untrusted(): Workspace {
  const hook = { on: 'before_run', command: ['sh', '-c', 'touch hooked.txt'] };
  const place = new Workspace({
    files: { ...SMALL_PROJECT, [FILE]: JSON.stringify(STRANGE) },
    config: { hooks: [hook] },
  });
  new WorkspaceFolder(place.root).create();
  return place;
}

test.each([
  ['run', 'strange'],
  ['run', 'strange', '--simulate'],
  ['run', 'strange', '--watch'],
  ['build', 'read README.md', '--id', 'mine'],
  ['build', 'read README.md', '--id', 'mine', '--dry-run'],
  ['patch', 'strange', 'write', 'timeout_seconds', '5'],
  ['replay', 'nope'],
  ['resume', 'nope'],
  ['schedule', 'add', 'strange', '@daily'],
])('graph %s %s is rejected in an untrusted workspace', async (...args) => {
  const place = untrusted();
  const before = place.text(FILE);
  const { exitCode, error } = await place.refusal('graph', ...args);
  expect({ exitCode, code: error.code }).toEqual({ exitCode: 4, code: 'config.not_trusted' });
  expect(error.message).toContain('oka init --trust');
  expect(place.text(FILE)).toBe(before);
  expect(readdirSync(place.at('.oka/graphs'))).toEqual(['strange.json']);
  expect([place.has('made.txt'), place.has('hooked.txt')]).toEqual([false, false]);
});

test('an untrusted workspace can be read', async () => {
  const place = untrusted();
  const { exitCode, data } = await place.answer<ValidateAnswer>('graph', 'validate', 'strange');
  expect({ exitCode, valid: data.valid }).toEqual({ exitCode: 0, valid: true });
  for (const args of [
    ['list'],
    ['show', 'strange'],
    ['render', 'strange'],
    ['render', 'strange', '--format', 'svg'],
    ['schema'],
    ['runs', 'strange'],
    ['state', 'show', 'strange'],
    ['schedule', 'list'],
  ])
    expect({ args, exitCode: (await place.answer('graph', ...args)).exitCode }).toEqual({
      args,
      exitCode: 0,
    });
  expect(place.has('hooked.txt')).toBe(false);
});

test('a run is narrated, but not executed again, after trust is removed', async () => {
  const place = Workspace.trusted({ files: { ...SMALL_PROJECT, [FILE]: JSON.stringify(STRANGE) } });
  const { data } = await place.answer('graph', 'run', 'strange');
  const stranger = new Workspace({ root: place.root, files: {} });
  for (const mode of ['narrative', 'decision']) {
    const retold = await stranger.answer('graph', 'replay', data.run.id, '--as', mode);
    expect({ mode, exitCode: retold.exitCode }).toEqual({ mode, exitCode: 0 });
  }
  for (const args of [
    ['replay', data.run.id],
    ['replay', data.run.id, '--as', 'full'],
    ['resume', data.run.id],
    ['from-run', data.run.id],
  ]) {
    const { error } = await stranger.refusal('graph', ...args);
    expect({ args, code: error.code }).toEqual({ args, code: 'config.not_trusted' });
  }
  expect(await stranger.oka('graph', 'schedule', 'start')).toMatchObject({
    exitCode: 4,
    stderr: expect.stringMatching(/^✗ .+ \(config\.not_trusted\)\n$/),
  });
  expect(stranger.has('.oka/run/scheduler.log')).toBe(false);
});
