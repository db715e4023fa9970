import { spawnSync } from 'node:child_process';
import { existsSync, watch } from 'node:fs';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import type { Hooks } from '../../engine/index.ts';
import { createRedactor, systemClock } from '../../kernel/index.ts';
import { commandHooks } from './command-hooks.ts';
import { WorkspaceProcesses } from './workspace-processes.ts';

const HOUR_MS = 3_600_000;

function hooksOf(cwd: string, ...scripts: readonly string[]): Hooks {
  const hooks = scripts.map((script) => ({
    on: 'before_node' as const,
    command: ['sh', '-c', script],
    timeoutMs: HOUR_MS,
    onFailure: 'ignore' as const,
  }));
  const processes = new WorkspaceProcesses({
    workspace: cwd,
    toolFolders: [],
    sandbox: 'auto',
    clock: systemClock,
  });
  return commandHooks(hooks, {
    redactor: createRedactor(),
    launch: (program) => processes.launch(program),
  });
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

/** How many processes whose words contain a text run. Their ids differ in the sandbox. */
function countRunning(marker: string): number {
  const lines = spawnSync('ps', ['-eo', 'stat=,args='], { encoding: 'utf8' }).stdout.split('\n');
  return lines.filter((line) => line.includes(marker) && !line.startsWith('Z')).length;
}

/** A duration that no other process sleeps. */
const counter = { sleeps: 0 };
function uniqueSleep(): string {
  counter.sleeps += 1;
  return `sleep 3600.${process.pid}${counter.sleeps}`;
}

test('an abort kills the running hook with its children, and skips later hooks', async () => {
  const folder = tempFolder();
  const sleep = uniqueSleep();
  const hooks = hooksOf(
    folder,
    'echo first',
    `${sleep} & echo started; touch new; mv new started; wait`,
    'touch third',
  );
  const abort = new AbortController();
  const running = hooks.run('before_node', {}, abort.signal);
  await appeared(folder, 'started');
  expect(countRunning(sleep)).toBeGreaterThan(0);
  abort.abort();
  expect(await running).toMatchObject([
    { ok: true, exitCode: 0, output: 'first\n' },
    { ok: false, exitCode: null, output: 'started\n\nstopped with the run' },
  ]);
  expect(countRunning(sleep)).toBe(0);
  expect(existsSync(join(folder, 'third'))).toBe(false);
});

test('a process outside the hook’s group ends with it', async () => {
  const folder = tempFolder();
  const sleep = uniqueSleep();
  const hooks = hooksOf(folder, `setsid sh -c 'touch new; mv new started; exec ${sleep}' & wait`);
  const abort = new AbortController();
  const running = hooks.run('before_node', {}, abort.signal);
  await appeared(folder, 'started');
  abort.abort();
  expect(await running).toMatchObject([{ ok: false, output: 'stopped with the run' }]);
  await vi.waitFor(() => expect(countRunning(sleep)).toBe(0));
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
