import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Hooks } from '../../engine/index.ts';
import { createRedactor } from '../../kernel/index.ts';
import { commandHooks } from './command-hooks.ts';

const HOUR_MS = 3_600_000;

function hooksOf(cwd: string, ...scripts: readonly string[]): Hooks {
  const hooks = scripts.map((script) => ({
    on: 'before_node' as const,
    command: ['sh', '-c', script],
    timeoutMs: HOUR_MS,
    onFailure: 'ignore' as const,
  }));
  return commandHooks(hooks, { cwd, redactor: createRedactor() });
}

/** Resolves when a file exists; its writer renames it into place when complete. */
function appeared(folder: string, name: string): Promise<void> {
  const file = join(folder, name);
  return new Promise((resolve) => {
    const watcher = watch(folder, () => check());
    const check = (): void => {
      if (!existsSync(file)) return;
      watcher.close();
      resolve();
    };
    check();
  });
}

/** Whether a process exists and is no zombie. */
function isRunning(pid: string): boolean {
  return /^[^Z]/.test(spawnSync('ps', ['-o', 'stat=', '-p', pid], { encoding: 'utf8' }).stdout.trim());
}

test('an abort kills the running hook with its children, and skips later hooks', async () => {
  const folder = tempFolder();
  const hooks = hooksOf(
    folder,
    'echo first',
    'sleep 3600 & echo started; echo "$! $$" > new; mv new pids; wait',
    'touch third',
  );
  const abort = new AbortController();
  const running = hooks.run('before_node', {}, abort.signal);
  await appeared(folder, 'pids');
  abort.abort();
  expect(await running).toMatchObject([
    { ok: true, exitCode: 0, output: 'first\n' },
    { ok: false, exitCode: null, output: 'started\n\nstopped with the run' },
  ]);
  for (const pid of readFileSync(join(folder, 'pids'), 'utf8').trim().split(' '))
    expect(isRunning(pid)).toBe(false);
  expect(existsSync(join(folder, 'third'))).toBe(false);
});

test('a process outside the hook’s group does not delay an abort', async () => {
  const folder = tempFolder();
  const hooks = hooksOf(folder, 'setsid sh -c \'echo "$$" > new; mv new pid; exec sleep 3600\' & wait');
  const abort = new AbortController();
  const running = hooks.run('before_node', {}, abort.signal);
  await appeared(folder, 'pid');
  const pid = Number(readFileSync(join(folder, 'pid'), 'utf8'));
  onTestFinished(() => void process.kill(pid, 'SIGKILL'));
  abort.abort();
  expect(await running).toMatchObject([{ ok: false, output: 'stopped with the run' }]);
});

test('an aborted signal starts no hook, and a late abort changes nothing', async () => {
  const folder = tempFolder();
  expect(await hooksOf(folder, 'touch ran').run('before_node', {}, AbortSignal.abort())).toEqual([]);
  expect(existsSync(join(folder, 'ran'))).toBe(false);

  const abort = new AbortController();
  const results = await hooksOf(folder, 'cat').run('before_node', { step: 1 }, abort.signal);
  abort.abort();
  expect(results).toMatchObject([{ ok: true, exitCode: 0, output: '{"step":1}\n' }]);
});
