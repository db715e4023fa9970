import { chmodSync, existsSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { probeDrafts } from '../../src/adapters/processes/index.ts';
import { findProgram } from '../../src/adapters/processes/workspace-programs.ts';
import type { DoctorAnswer } from '../../src/api/index.ts';
import { withoutSandbox } from '../safety/sandbox-kit.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { toAnswer, Workspace } from './oka-process.ts';

const PROGRAMS = ['bwrap', 'true', 'sh', 'mount', 'unshare', 'touch'];

interface Machine {
  /** Programs that this machine does not have. */
  readonly without?: string;
  /** Programs that fail here. */
  readonly failing?: string;
}

/** The PATH of a machine. */
function pathOf({ without, failing }: Machine): string {
  const folder = tempFolder();
  for (const name of PROGRAMS) {
    const found = findProgram(name);
    if (found === undefined || name === without) continue;
    if (name !== failing) symlinkSync(found, join(folder, name));
    else writeFileSync(join(folder, name), '#!/bin/sh\necho "not permitted" >&2\nexit 1\n', { mode: 0o755 });
  }
  chmodSync(folder, 0o755);
  return folder;
}

/** What `oka doctor` says about drafts on a machine, and whether `process.run` asks before a program writes there. */
async function examine(machine: Machine, config = {}) {
  const workspace = Workspace.trusted();
  workspace.putAtHome('config.json', JSON.stringify(config));
  const env = { PATH: pathOf(machine) };
  const start = (...args: readonly string[]) => workspace.startIn(workspace.root, env, ...args).ended;
  const { stdout } = await start('doctor', '--no-models');
  const line = stdout.split('\n').find((one) => / drafts /.test(one));
  const { data } = toAnswer<DoctorAnswer>(await start('doctor', '--no-models', '--json'));
  expect(line).toContain(data.checks.find(({ name }) => name === 'drafts')?.detail);
  const call = ['tools', 'call', 'process.run', JSON.stringify({ argv: ['touch', 'made'] }), '--json'];
  const { run } = toAnswer<{ run: { status: string } }>(await start(...call)).data;
  expect(existsSync(workspace.at('made'))).toBe(run.status === 'completed');
  return { line: line?.replaceAll(/\s+/g, ' '), asks: run.status === 'waiting', home: workspace.home };
}

test('doctor says that programs work on an overlay', async (context) => {
  const { kind, why } = probeDrafts({ state: tempFolder(), workspace: tempFolder() });
  if (kind !== 'overlay') context.skip(why);
  expect(await examine({})).toMatchObject({
    line: '✓ drafts overlay: overlayfs works in a user namespace; a program works on an overlay of the workspace',
    asks: false,
  });
});

test.skipIf(withoutSandbox !== undefined)(
  'doctor says that programs work on a copy, and why, where overlays cannot be mounted',
  async () => {
    const end = 'a program works on a copy of the workspace, if the workspace is small enough';
    expect(await examine({ without: 'unshare' })).toMatchObject({
      line: `! drafts copy: there is no "unshare" on the PATH; ${end}`,
      asks: false,
    });
    const { line, asks, home } = await examine({ failing: 'mount' });
    const why = `no overlay can be mounted in ${join(home, 'drafts')}: not permitted`;
    expect([line, asks]).toEqual([`! drafts copy: ${why}; ${end}`.replaceAll(/\s+/g, ' '), false]);
  },
);

test('doctor says that programs work on the workspace itself without bubblewrap, and they ask', async () => {
  const end = 'a program works on the workspace itself, and asks first';
  expect(await examine({ without: 'bwrap' })).toMatchObject({
    line: `! drafts none: bubblewrap (bwrap) is not installed; ${end}`,
    asks: true,
  });
  expect(await examine({}, { sandbox: 'off' })).toMatchObject({
    line: `! drafts none: the sandbox is off; ${end}`,
    asks: true,
  });
});
