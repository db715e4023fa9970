import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  readdirSync,
  readlinkSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { toolEnvironment } from '../../src/adapters/installs/index.ts';
import { orderInstall } from '../../src/tools/installs/catalogue.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { type FixturePackage, fixtureRegistry } from './fixture-registry.ts';
import { installKit, NEVER } from './install-kit.ts';

const order = (name: string, version?: string) => orderInstall({ ecosystem: 'node', package: name, version });

function greeter(version: string, extra: Readonly<Record<string, unknown>> = {}): FixturePackage {
  return {
    name: '@oka-test/greeter',
    version,
    manifest: {
      main: 'index.js',
      bin: { 'oka-greets': 'cli.js', ls: 'cli.js' },
      dependencies: { 'oka-test-voice': '^1' },
      ...extra,
    },
    files: {
      'index.js': `module.exports = require('oka-test-voice') + ' ${version}';\n`,
      'cli.js': "#!/usr/bin/env node\nconsole.log(require('./index.js'));\n",
    },
  };
}
const VOICE: FixturePackage = {
  name: 'oka-test-voice',
  version: '1.0.0',
  files: { 'index.js': "module.exports = 'hello';\n" },
};

const output = (program: string, ...args: readonly string[]): string =>
  spawnSync(program, args, { encoding: 'utf8' }).stdout.trim();

describe('a Node package', () => {
  it('is installed with its hash and its dependencies, and its programs can be called', async () => {
    const registry = await fixtureRegistry(greeter('1.0.0'), VOICE);
    const { installer, tools, workspace, record } = installKit({
      sources: { npmRegistry: registry.address },
    });
    const { installed, fresh } = await installer.install(order('@oka-test/greeter'), NEVER);
    expect(fresh).toBe(true);
    expect(installed).toEqual({
      ecosystem: 'node',
      name: '@oka-test/greeter',
      version: '1.0.0',
      integrity: expect.stringMatching(/^sha512-/),
      bins: ['oka-greets'],
      withheld: ['ls'],
      dependencies: [
        { name: 'oka-test-voice', version: '1.0.0', integrity: expect.stringMatching(/^sha512-/) },
      ],
    });
    for (const folder of ['bin', join('node', 'bin')]) {
      expect(output(join(tools, folder, 'oka-greets'))).toBe('hello 1.0.0');
      expect(existsSync(join(tools, folder, 'ls'))).toBe(false);
    }
    const environment = toolEnvironment(workspace, record);
    const script = join(workspace, 'script.cjs');
    writeFileSync(script, "console.log(require('@oka-test/greeter'));\n");
    const ran = spawnSync(process.execPath, [script], { encoding: 'utf8', env: { ...environment } });
    expect(ran.stdout.trim()).toBe('hello 1.0.0');
    expect(readdirSync(workspace).sort()).toEqual(['.oka', 'script.cjs']);
  });

  it('runs no script of its own or of its dependencies', async () => {
    const trace = join(tempFolder(), 'trace');
    const scripts = {
      preinstall: `touch "${trace}"`,
      install: `touch "${trace}"`,
      postinstall: `touch "${trace}"`,
    };
    const registry = await fixtureRegistry(greeter('1.0.0', { scripts }), {
      ...VOICE,
      manifest: { scripts },
    });
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    await installer.install(order('@oka-test/greeter'), NEVER);
    expect(output(join(tools, 'bin', 'oka-greets'))).toBe('hello 1.0.0');
    expect(existsSync(trace)).toBe(false);
  });

  it('is not reinstalled, and is replaced by another requested version', async () => {
    const registry = await fixtureRegistry(greeter('1.0.0'), greeter('1.1.0'), VOICE);
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    await installer.install(order('@oka-test/greeter', '1.0.0'), NEVER);
    const asked = registry.asked.length;
    expect((await installer.install(order('@oka-test/greeter'), NEVER)).fresh).toBe(false);
    expect(registry.asked).toHaveLength(asked);

    await installer.install(order('@oka-test/greeter', '1.1.0'), NEVER);
    expect(output(join(tools, 'bin', 'oka-greets'))).toBe('hello 1.1.0');
    expect((await installer.list()).map(({ version }) => version)).toEqual(['1.1.0']);
  });

  it('gets a removed program link back', async () => {
    const registry = await fixtureRegistry(greeter('1.0.0'), VOICE);
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    await installer.install(order('@oka-test/greeter'), NEVER);
    rmSync(join(tools, 'bin', 'oka-greets'));
    expect((await installer.install(order('@oka-test/greeter'), NEVER)).fresh).toBe(true);
    expect(output(join(tools, 'bin', 'oka-greets'))).toBe('hello 1.0.0');
  });

  it('is removed with its programs, and other packages stay', async () => {
    const registry = await fixtureRegistry(greeter('1.0.0'), VOICE);
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    await installer.install(order('@oka-test/greeter'), NEVER);
    await installer.install(order('oka-test-voice'), NEVER);
    expect(await installer.remove({ ecosystem: 'node', package: '@oka-test/greeter' }, NEVER)).toBe(true);
    expect(await installer.remove({ ecosystem: 'node', package: '@oka-test/greeter' }, NEVER)).toBe(false);
    expect(readdirSync(join(tools, 'bin'))).toEqual([]);
    expect((await installer.list()).map(({ name }) => name)).toEqual(['oka-test-voice']);
  });

  it('that does not exist is refused, and so is one with a wrong hash or none', async () => {
    const wrong = `sha512-${Buffer.alloc(64).toString('base64')}`;
    const registry = await fixtureRegistry(
      { ...VOICE, name: 'oka-test-wrong', integrity: wrong },
      { ...VOICE, name: 'oka-test-bare', integrity: null },
    );
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    const refused = (name: string) =>
      installer.install(order(name), NEVER).catch((error: { code: string }) => error.code);
    expect(await refused('oka-test-nowhere')).toBe('environment.package_not_found');
    expect(await refused('oka-test-wrong')).toBe('environment.unverified');
    expect(await refused('oka-test-bare')).toBe('environment.unverified');
    expect(await installer.list()).toEqual([]);
    expect(readdirSync(join(tools, 'staging'))).toEqual([]);
  });

  it('whose dependency comes from anywhere but the registry is refused', async () => {
    const local = join(tempFolder(), 'local');
    mkdirSync(local);
    writeFileSync(join(local, 'package.json'), '{"name":"oka-test-voice","version":"1.0.0"}');
    const registry = await fixtureRegistry(
      greeter('1.0.0', { dependencies: { 'oka-test-voice': `file:${local}` } }),
    );
    const { installer } = installKit({ sources: { npmRegistry: registry.address } });
    await expect(installer.install(order('@oka-test/greeter'), NEVER)).rejects.toMatchObject({
      code: expect.stringMatching(/^environment\.(unverified|install_failed)$/),
    });
    expect(await installer.list()).toEqual([]);
  });

  it('is installed with the settings of the person, whatever the workspace says', async () => {
    const registry = await fixtureRegistry(greeter('1.0.0'), VOICE);
    const { installer, workspace } = installKit({ sources: { npmRegistry: registry.address } });
    writeFileSync(join(workspace, '.npmrc'), 'registry=http://127.0.0.1:9/\nignore-scripts=false\n');
    writeFileSync(join(workspace, 'package.json'), '{"workspaces":[".oka/tools/**"],"private":true}');
    const { installed } = await installer.install(order('@oka-test/greeter'), NEVER);
    expect(installed.version).toBe('1.0.0');
    expect(readdirSync(workspace).sort()).toEqual(['.npmrc', '.oka', 'package.json']);
  });

  it('is not installed through a link', async () => {
    const registry = await fixtureRegistry(VOICE);
    const { installer, workspace, root } = installKit({ sources: { npmRegistry: registry.address } });
    const elsewhere = join(root, 'elsewhere');
    mkdirSync(elsewhere);
    mkdirSync(join(workspace, '.oka'));
    symlinkSync(elsewhere, join(workspace, '.oka', 'tools'));
    await expect(installer.install(order('oka-test-voice'), NEVER)).rejects.toMatchObject({
      code: 'environment.link_refused',
    });
    expect(readdirSync(elsewhere)).toEqual([]);
    expect(readlinkSync(join(workspace, '.oka', 'tools'))).toBe(elsewhere);
  });

  it('cannot be installed where there is no npm', async () => {
    const { installer } = installKit({ environment: { PATH: tempFolder() } });
    await expect(installer.install(order('oka-test-voice'), NEVER)).rejects.toMatchObject({
      code: 'environment.installer_missing',
      data: { program: 'npm' },
    });
  });
});

describe('an install that does not finish', () => {
  const asksForTarball = async (registry: { asked: readonly string[] }): Promise<void> => {
    while (!registry.asked.some((path) => path.endsWith('.tgz')))
      await new Promise((resolve) => setImmediate(resolve));
  };

  it('is stopped at its time limit with all processes it started, and leaves nothing', async () => {
    const registry = await fixtureRegistry(VOICE);
    registry.stalled = true;
    const clock = new ManualClock();
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address }, clock });
    const installing = installer.install(order('oka-test-voice'), NEVER);
    await asksForTarball(registry);
    clock.advance(600_000);
    await expect(installing).rejects.toMatchObject({
      code: 'environment.install_timed_out',
      transient: true,
    });
    expect(readdirSync(join(tools, 'staging'))).toEqual([]);

    registry.stalled = false;
    expect((await installer.install(order('oka-test-voice'), NEVER)).fresh).toBe(true);
  });

  it('is stopped by an abort, and a waiting caller may give up', async () => {
    const registry = await fixtureRegistry(VOICE);
    registry.stalled = true;
    const { installer, tools } = installKit({ sources: { npmRegistry: registry.address } });
    const [first, second] = [new AbortController(), new AbortController()];
    const installing = installer.install(order('oka-test-voice'), first.signal);
    const waiting = installer.install(order('oka-test-voice'), second.signal);
    await asksForTarball(registry);
    second.abort(new Error('not wanted'));
    await expect(waiting).rejects.toThrow('not wanted');
    first.abort(new Error('stop'));
    await expect(installing).rejects.toThrow('stop');
    expect(readdirSync(join(tools, 'staging'))).toEqual([]);
    expect(await installer.list()).toEqual([]);
  });
});
