import { spawn } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import fc from 'fast-check';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { TreeWatcher } from '../../src/adapters/processes/tree-watcher.ts';
import { containsHome, visibleFolders } from '../../src/adapters/processes/visible-folders.ts';
import { isBelow } from '../../src/disk/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openProcesses, runNode, sandboxTitle, withoutSandbox } from './sandbox-kit.ts';

beforeEach(() => onTestFinished(() => void vi.unstubAllEnvs()));

const FS = `const fs = require('node:fs'); const attempt = (path, value = '') => { try { fs.writeFileSync(path, value); console.log('wrote', path); } catch (error) {} };`;

/** Four processes that use 600 MB together, and end when one of them is ended. */
const MANY = `const { spawn } = require('node:child_process');
  for (let i = 0; i < 4; i += 1) spawn(process.execPath, ['-e', 'globalThis.kept = Buffer.alloc(150e6, 1); setInterval(() => {}, 1e6)'], { stdio: 'ignore' }).on('exit', () => process.exit(1));
  setInterval(() => {}, 1e6);`;

describe.skipIf(withoutSandbox !== undefined)(sandboxTitle('the sandbox'), () => {
  it('lets a program write nothing of the kernel, and nothing in memory but its private folders', async () => {
    const paths = ['', '/proc/self/root', '/proc/1/root', '/proc/thread-self/root'].flatMap((root) =>
      ['/proc/sys/kernel/core_pattern', '/proc/sysrq-trigger', '/proc/irq/default_smp_affinity'].map(
        (path) => root + path,
      ),
    );
    const script = `${FS} for (const path of ${JSON.stringify(paths)}) { try { fs.closeSync(fs.openSync(path, 'r+')); console.log('opened', path); } catch {} }
      for (const path of ['/file', '/dev/file', '/home/file', '/sys/file', '/proc/file']) attempt(path);
      attempt('/tmp/file'); attempt('/dev/shm/file');
      console.log(fs.readFileSync('/proc/self/status', 'utf8').match(/^Cap\\w+:\\s*0*[1-9a-f].*$/m));`;
    expect((await runNode(openProcesses(tempFolder()), script)).stdout).toBe(
      'wrote /tmp/file\nwrote /dev/shm/file\nnull\n',
    );
  });

  it('shows of /proc what is listed, and nothing that only root may read', async () => {
    const script = `const fs = require('node:fs'); for (const name of fs.readdirSync('/proc')) try { if (!/^\\d+$/.test(name) && fs.statSync('/proc/' + name).isFile()) { fs.readFileSync('/proc/' + name); console.log(name); } } catch {}`;
    const { stdout } = await runNode(openProcesses(tempFolder()), script);
    for (const hidden of ['kallsyms', 'kpageflags', 'slabinfo', 'config.gz', 'keys', 'cmdline'])
      expect(stdout.split('\n')).not.toContain(hidden);
    expect(stdout.split('\n')).toEqual(expect.arrayContaining(['cpuinfo', 'meminfo', 'uptime']));
  });

  it('refuses to add a home, all temporary files, or folders of the kernel', async () => {
    const home = tempFolder();
    vi.stubEnv('HOME', home);
    for (const path of ['/', '~', dirname(home), '/proc', '/proc/sys', '/sys', '/dev'])
      await expect(runNode(openProcesses(tempFolder(), { read: [path] }), '')).rejects.toMatchObject({
        code: 'process.start_failed',
        data: { path: expect.any(String) },
      });
  });

  it.each(['program', 'link'])('shows nothing else of the home to a %s in it', async (kind) => {
    const home = tempFolder();
    vi.stubEnv('HOME', home);
    writeFileSync(join(home, 'secret'), 'secret');
    const script = `#!/bin/sh\ncat '${join(home, 'secret')}' && echo through; echo ran\n`;
    const target = kind === 'link' ? join(home, 'tool-itself') : join(home, 'tool');
    writeFileSync(target, script, { mode: 0o755 });
    if (kind === 'link') symlinkSync(target, join(home, 'tool'));
    const { stdout } = await openProcesses(tempFolder()).run(
      { argv: [join(home, 'tool')], timeoutMs: 60_000 },
      new AbortController().signal,
    );
    expect(stdout).toBe('ran\n');
  });

  it('limits the memory of all processes together', async () => {
    const limits = { memoryMb: 400 };
    await expect(runNode(openProcesses(tempFolder(), { limits }), MANY)).rejects.toMatchObject({
      code: 'process.memory_exceeded',
      data: { memoryMb: 400 },
    });
  });

  it('limits the private folders', async () => {
    const script = `const fs = require('node:fs'); for (const folder of ['/tmp', '/dev/shm']) try { const file = fs.openSync(folder + '/large', 'w'); for (let i = 0; i < 30; i += 1) fs.writeSync(file, Buffer.alloc(1e6)); console.log('through'); } catch (error) { console.log(error.code); }`;
    const { stdout } = await runNode(openProcesses(tempFolder(), { limits: { temporaryMb: 10 } }), script);
    expect(stdout).toBe('ENOSPC\nENOSPC\n');
  });
});

describe('without a control group', () => {
  it('a watcher ends a program whose processes together use more memory', async () => {
    const watcher = new TreeWatcher({ memoryMb: 400, processes: 1_024 }, systemClock);
    onTestFinished(() => watcher.remove());
    const [program = '', ...words] = watcher.enter('/bin/sh');
    const child = spawn(program, [...words, process.execPath, '-e', MANY], { stdio: 'ignore' });
    const signal = await new Promise((resolve) => child.on('exit', (_, ended) => resolve(ended)));
    expect([signal, watcher.exceeded()]).toEqual(['SIGKILL', true]);
  });

  it('a watcher leaves a program alone that stays within its limits', async () => {
    const watcher = new TreeWatcher({ memoryMb: 8_192, processes: 1_024 }, systemClock);
    const [program = '', ...words] = watcher.enter('/bin/sh');
    const child = spawn(program, [...words, 'true'], { stdio: 'ignore' });
    const code = await new Promise((resolve) => child.on('exit', resolve));
    watcher.remove();
    expect([code, watcher.exceeded()]).toEqual([0, false]);
  });
});

const NAMES = ['bin', 'tools', '.nvm', '.pyenv', 'Documents', 'app', '.local'];

describe('what a program sees', () => {
  it('is never a home, what is around one, or a personal folder directly in one', () => {
    const part = fc.constantFrom(...NAMES);
    const place = fc.record({ inside: fc.boolean(), parts: fc.array(part, { maxLength: 4 }) });
    const layout = fc.record({
      folders: fc.array(place, { minLength: 1, maxLength: 4 }),
      links: fc.array(fc.record({ from: place, to: place }), { maxLength: 3 }),
      program: place,
    });
    fc.assert(
      fc.property(layout, ({ folders, links, program }) => {
        const base = realpathSync(mkdtempSync(join(tmpdir(), 'oka-layout-')));
        try {
          const home = join(base, 'home', 'anna');
          const pathOf = ({ inside, parts }: { inside: boolean; parts: readonly string[] }): string =>
            join(inside ? home : join(base, 'data'), ...parts);
          for (const place of [...folders, program]) mkdirSync(pathOf(place), { recursive: true });
          mkdirSync(home, { recursive: true });
          const made = links.map(({ from, to }, index) => {
            mkdirSync(pathOf(from), { recursive: true });
            mkdirSync(pathOf(to), { recursive: true });
            const link = join(pathOf(from), index === 0 ? '.volta' : `link-${index}`);
            if (!existsSync(link)) symlinkSync(pathOf(to), link);
            return link;
          });
          const file = join(pathOf(program), 'program');
          writeFileSync(file, '', { mode: 0o755 });
          vi.stubEnv('HOME', home);
          vi.stubEnv('PATH', [...folders.map(pathOf), ...made].join(':'));
          const visible = visibleFolders([file, ...made.map((link) => join(link, 'program'))], []).filter(
            (path) => existsSync(path) && statSync(path).isDirectory(),
          );
          const personal = visible.filter(
            (path) =>
              containsHome(realpathSync(path)) ||
              isBelow(realpathSync(path), home) ||
              (dirname(realpathSync(path)) === home && !['.nvm', '.pyenv'].includes(basename(path))),
          );
          expect(personal).toEqual([]);
        } finally {
          rmSync(base, { recursive: true });
        }
      }),
      { numRuns: 60, seed: 36 },
    );
  });
});
