import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, mkdirSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { SqlLeases } from '../../src/adapters/sql/index.ts';
import { openDatabase, SqliteTables } from '../../src/adapters/sqlite/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import type { Leases } from '../../src/ledger/index.ts';
import { orderInstall } from '../../src/tools/installs/catalogue.ts';
import { bundleWorker } from '../support/bundle-worker.ts';
import { ManualClock, settle } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { buildWheel } from './build-packages.ts';
import { type FixturePackage, fixtureRegistry } from './fixture-registry.ts';
import { installKit, NEVER, withoutPip } from './install-kit.ts';

const VOICE: FixturePackage = {
  name: 'oka-test-voice',
  version: '1.0.0',
  manifest: { bin: { 'oka-voice': 'cli.js' } },
  files: { 'cli.js': '#!/usr/bin/env node\n' },
};
const order = orderInstall({ ecosystem: 'node', package: VOICE.name });

describe('a process that is killed during an install', () => {
  it('leaves nothing visible, and the next process takes over its lease and cleans up', async () => {
    const registry = await fixtureRegistry(VOICE);
    registry.stalled = true;
    const database = join(tempFolder(), 'oka.db');
    const owners = processOwners();
    const leases = new SqlLeases(
      new SqliteTables(openDatabase({ file: database, now: () => systemClock.now() }), database),
      systemClock,
      (owner) => owners.isAlive(owner),
    );
    const sources = { npmRegistry: registry.address };
    const { installer, workspace, tools, root } = installKit({ sources, leases, owner: owners.self });
    const args = [
      await bundleWorker(join(import.meta.dirname, 'install-worker.ts')),
      workspace,
      database,
      registry.address,
      VOICE.name,
      join(root, 'home'),
    ];
    const child = spawn(process.execPath, args, { stdio: 'ignore' });
    const ended = once(child, 'exit');
    while (!registry.asked.some((path) => path.endsWith('.tgz'))) {
      if (child.exitCode !== null) throw new Error('the worker ended too early');
      await settle();
    }
    child.kill('SIGKILL');
    expect((await ended)[1]).toBe('SIGKILL');
    expect(readdirSync(join(tools, 'staging'))).toHaveLength(1);
    expect(await installer.list()).toEqual([]);
    expect(existsSync(join(tools, 'bin'))).toBe(false);

    registry.stalled = false;
    expect((await installer.install(order, NEVER)).fresh).toBe(true);
    expect(readdirSync(join(tools, 'staging'))).toEqual([]);
    expect(readdirSync(join(tools, 'bin'))).toEqual(['oka-voice']);
  });
});

describe('an install that was stopped before its last step', () => {
  it('is repeated when a Node package is stored but not linked', async () => {
    const registry = await fixtureRegistry(VOICE);
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    await installer.install(order, NEVER);
    rmSync(join(tools, 'node', 'node_modules', VOICE.name));
    expect(await installer.list()).toEqual([]);
    expect((await installer.install(order, NEVER)).fresh).toBe(true);
    expect(await installer.list()).toHaveLength(1);
    expect(readdirSync(join(tools, 'node', 'packages'))).toEqual(['oka-test-voice@1.0.0']);
  });

  it.skipIf(withoutPip)('is repeated when a Python environment is not activated', async () => {
    const wheelFolder = join(tempFolder(), 'wheels');
    buildWheel(wheelFolder, { name: 'tea', version: '2.0', files: { 'tea.py': '' } });
    const { installer, tools } = installKit({ sources: { wheelFolder } });
    const tea = orderInstall({ ecosystem: 'python', package: 'tea' });
    await installer.install(tea, NEVER);
    rmSync(join(tools, 'python'));
    mkdirSync(join(tools, 'generations', 'python-torn', 'bin'), { recursive: true });
    writeFileSync(join(tools, 'generations', 'python-torn', 'bin', 'python'), '');
    expect(await installer.list()).toEqual([]);
    expect((await installer.install(tea, NEVER)).fresh).toBe(true);
    expect(readdirSync(join(tools, 'generations'))).toHaveLength(1);
    expect(existsSync(join(tools, 'python', 'bin', 'python'))).toBe(true);
  });
});

describe('the install lock', () => {
  const heldBy = (holder: { owner?: string }): Leases => ({
    acquire: async (_, owner) => {
      if (holder.owner !== undefined && holder.owner !== owner) return false;
      holder.owner = owner;
      return true;
    },
    release: async (_, owner) => {
      if (holder.owner === owner) delete holder.owner;
    },
    holder: async () => (holder.owner === undefined ? undefined : { owner: holder.owner, expiresAt: 0 }),
  });

  it('is held by one caller at a time, in order, also when one of them fails', async () => {
    const { installer } = installKit({ leases: heldBy({}) });
    const seen: string[] = [];
    const take = (name: string, end = Promise.resolve()) =>
      installer.inTurn(async () => {
        seen.push(`${name} begins`);
        await end;
        seen.push(`${name} ends`);
      }, NEVER);
    let release = (): void => undefined;
    const first = take('a', new Promise<void>((resolve) => (release = resolve)));
    const second = installer.inTurn(() => Promise.reject(new Error('broken')), NEVER);
    const third = take('b');
    await settle();
    expect(seen).toEqual(['a begins']);
    release();
    await expect(second).rejects.toThrow('broken');
    await Promise.all([first, third]);
    expect(seen).toEqual(['a begins', 'a ends', 'b begins', 'b ends']);
  });

  it('is waited for while another process holds it, up to a time limit', async () => {
    const clock = new ManualClock();
    const holder: { owner?: string } = { owner: 'another' };
    const { installer } = installKit({ leases: heldBy(holder), clock, timeLimitMs: 1_000 });
    const had = installer.inTurn(async () => holder.owner, NEVER);
    await settle();
    clock.advanceToNext();
    await settle();
    delete holder.owner;
    clock.advanceToNext();
    expect(await had).toBe('test');
    expect(holder.owner).toBeUndefined();

    holder.owner = 'another';
    const refused = installer.inTurn(async () => undefined, NEVER).catch((error: unknown) => error);
    for (let i = 0; i < 30; i++) {
      await settle();
      clock.advance(1_000);
    }
    expect(await refused).toMatchObject({ code: 'environment.busy', data: { owner: 'another' } });
  });
});
