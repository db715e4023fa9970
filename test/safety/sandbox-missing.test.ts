import { spawnSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeEach, describe, expect, it, onTestFinished, vi } from 'vitest';
import { loadConfig } from '../../src/config/index.ts';
import { isUnattended } from '../../src/engine/index.ts';
import type { DecisionContext, Middleware, Ruling } from '../../src/engine/middleware.ts';
import { requireRemembering, requireSandbox } from '../../src/runtime/process/require-sandbox.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { openProcesses, runNode } from './sandbox-kit.ts';

/** A PATH with these programs only. */
function pathWith(...programs: readonly string[]): void {
  const folder = join(tempFolder(), 'bin');
  mkdirSync(folder);
  for (const name of programs) {
    const found = spawnSync('/bin/sh', ['-c', `command -v ${name}`], { encoding: 'utf8' }).stdout.trim();
    if (found !== '') symlinkSync(found, join(folder, name));
  }
  vi.stubEnv('PATH', folder);
}

beforeEach(() => onTestFinished(() => void vi.unstubAllEnvs()));

/** The number of running processes whose arguments contain a text. */
function countRunning(marker: string): number {
  const lines = spawnSync('/bin/ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines.filter((line) => line.includes(marker) && !line.startsWith('Z')).length;
}

const SETS = [
  ['with a process namespace', ['sh', 'unshare', 'setpriv', 'true']],
  ['with nothing but a shell', ['sh']],
] as const;

describe.each(SETS)('without bubblewrap, %s', (_, programs) => {
  it('a program cannot read the environment of its parent', async () => {
    pathWith(...programs);
    const processes = openProcesses(tempFolder());
    expect(processes.sandbox.kind).toBe('none');
    const script = `try { console.log(require('node:fs').readFileSync('/proc/' + process.ppid + '/environ', 'utf8').split('\\0').sort().join()) } catch (error) { console.log(error.code) }
      console.log(Object.entries(process.env).map((pair) => pair.join('=')).sort().join())`;
    const { stdout } = await runNode(processes, script);
    const [parent = '', own = ''] = stdout.split('\n');
    // A shell adds its working directory.
    const names = (text: string): string[] =>
      text
        .split(',')
        .map((one) => one.split('=')[0] ?? '')
        .filter((name) => !/^(PWD|OLDPWD|SHLVL|_|)$/.test(name));
    expect(new Set([...names(own), ...names(parent)])).toEqual(new Set(names(own)));
  });

  it('no process outlives the program, also in a session of its own', async () => {
    pathWith(...programs);
    const marker = `outlives-${process.pid}-${programs.length}`;
    const script = `const child = require('node:child_process').spawn(process.execPath, ['-e', 'setInterval(() => {}, 1e6)', '${marker}'], { detached: true, stdio: 'ignore' });
      child.on('spawn', () => { child.unref(); process.exit(); });`;
    const { confinement, note } = await runNode(openProcesses(tempFolder()), script);
    await vi.waitFor(() => expect(countRunning(marker)).toBe(0));
    expect(note).toContain('ran without a sandbox: bubblewrap (bwrap) is not installed');
    expect(confinement).toMatchObject({ kind: 'none', seccomp: false, network: true });
  });
});

describe('a call of process.run without a sandbox', () => {
  const none = { sandbox: { kind: 'none', why: 'bubblewrap (bwrap) is not installed' } } as const;
  const call = (origin: string, group?: string): DecisionContext =>
    ({
      run: { lineage: { origin }, group },
      decision: { kind: 'call_tool', tool: 'process.run', input: { argv: ['ls'] } },
      notes: {},
    }) as unknown as DecisionContext;
  const decide = (middleware: Middleware, context: DecisionContext, ruling: Ruling): Promise<Ruling> =>
    Promise.resolve(middleware.onDecision?.(context, async () => ruling) as Ruling | Promise<Ruling>);
  const go: Ruling = { kind: 'go' };
  const asks: Ruling = { kind: 'park', waiting: { for: 'approval', why: 'it asks', argumentsHash: 'x' } };

  it.each([
    ['a schedule', 'backup@2026-01-01T00:00:00.000Z', undefined],
    ['a child of a scheduled run', 'backup@2026-01-01T00:00:00.000Z/act.1.0', undefined],
    ['a conversation', '01k', 'room'],
  ])('is refused in a run of %s, unless the user turned the sandbox off', async (_, origin, group) => {
    expect(isUnattended({ lineage: { origin }, group } as never)).toBe(true);
    const refused = await decide(requireSandbox(none, { sandbox: 'auto' }), call(origin, group), go);
    expect(refused).toMatchObject({ kind: 'refuse', failure: { code: 'process.sandbox_required' } });
    expect((refused as { failure: { message: string } }).failure.message).toMatch(
      /apt install bubblewrap.*"sandbox": "off"/,
    );
    expect(await decide(requireSandbox(none, { sandbox: 'off' }), call(origin, group), go)).toEqual(go);
  });

  it('says in the first line of its approval that there is no sandbox', async () => {
    const ruling = await decide(requireSandbox(none, { sandbox: 'auto' }), call('01k'), asks);
    expect((ruling as { waiting: { why: string } }).waiting.why.split('\n')[0]).toMatch(
      /^NO SANDBOX: .*bwrap/,
    );
    const sandboxed = { sandbox: { kind: 'bubblewrap' } } as const;
    expect(await decide(requireSandbox(sandboxed, { sandbox: 'auto' }), call('01k'), asks)).toEqual(asks);
  });

  it('uses no remembered approval, and remembers none', async () => {
    const context = call('01k');
    context.notes.policy = 'grant:destructive';
    const ruling = await decide(requireSandbox(none, { sandbox: 'auto' }), context, go);
    expect(ruling).toMatchObject({ kind: 'park', waiting: { rule: 'no_sandbox' } });
    expect(() => requireRemembering('no_sandbox')).toThrow('no approval of a program is remembered');
    expect(() => requireRemembering('destructive')).not.toThrow();
  });
});

describe('the configuration of a project', () => {
  it('cannot turn the sandbox off, widen what programs read, or free a hook from it', async () => {
    const file = (content: object): string => {
      const path = join(tempFolder(), 'config.json');
      writeFileSync(path, JSON.stringify(content));
      return path;
    };
    expect((await loadConfig({ project: file({ sandbox: 'off' }) })).sandbox).toBe('auto');
    expect((await loadConfig({ user: file({ sandbox: 'off' }), project: file({}) })).sandbox).toBe('off');
    const hook = { on: 'before_run', command: ['true'], sandbox: 'off' };
    for (const content of [{ sandbox_read: ['/'] }, { sandbox_limits: { processes: 1 } }, { hooks: [hook] }])
      await expect(loadConfig({ project: file(content) })).rejects.toMatchObject({ code: 'config.invalid' });
    expect((await loadConfig({ user: file({ hooks: [hook], sandbox_read: ['~/x'] }) })).hooks).toMatchObject([
      { sandbox: 'off' },
    ]);
  });
});
