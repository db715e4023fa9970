// Commands on a disk whose nth call fails: what they say, and what is left.
import { cpSync, existsSync } from 'node:fs';
import { expect } from 'vitest';
import type { DiskFault, FailingDisk } from '../support/failing-disk.ts';
import { type Finished, toRefusal, Workspace } from './oka-process.ts';

export const FACT = 'the garden gate is green';
export const COMMANDS: Readonly<Record<string, readonly string[]>> = {
  reading: ['runs', 'list'],
  writing: ['memory', 'fact', 'add', FACT],
};

/** A copy of a workspace for each attempt, in the one place that is trusted. */
export class FailingWorkspace {
  readonly #seed: Workspace;
  readonly #disk: FailingDisk;

  constructor(seed: Workspace, disk: FailingDisk) {
    this.#seed = seed;
    this.#disk = disk;
  }

  /** How many calls a command makes on the files of its workspace. */
  async countCalls(args: readonly string[]): Promise<number> {
    const workspace = this.#fresh();
    await run(workspace, this.#disk.counting('/.oka/'), args);
    return this.#disk.counted;
  }

  /** Runs a command with a fault, and checks what it said and what it left. */
  async attempt(args: readonly string[], fault: Omit<DiskFault, 'path'>): Promise<Finished> {
    const workspace = this.#fresh();
    const finished = await run(workspace, this.#disk.failing({ path: '/.oka/', ...fault }), args);
    const about = JSON.stringify({ args, fault, stdout: finished.stdout, stderr: finished.stderr });
    expect(finished.signal, about).toBe(null);
    expect(finished.stderr, about).not.toMatch(/^\s+at |unhandled|UnhandledPromise/im);
    if (finished.exitCode !== 0) expectRefusal(finished, about);
    await this.#expectSound(workspace, finished, args);
    return finished;
  }

  #fresh(): Workspace {
    const workspace = Workspace.trusted({ files: {} });
    cpSync(this.#seed.root, workspace.root, { recursive: true, force: true });
    return workspace;
  }

  /** Without the fault, everything that was acknowledged is there and the ledger verifies. */
  async #expectSound(workspace: Workspace, finished: Finished, args: readonly string[]): Promise<void> {
    await workspace.verified();
    const isAcknowledged = finished.stdout.startsWith('{"version":1,"ok":true');
    if (!isAcknowledged || args !== COMMANDS['writing']) return;
    const { data } = await workspace.answer<{ facts: { text: string }[] }>('memory', 'fact', 'list');
    expect(data.facts.map(({ text }) => text)).toContain(FACT);
  }
}

function run(workspace: Workspace, env: NodeJS.ProcessEnv, args: readonly string[]): Promise<Finished> {
  expect(existsSync(workspace.root)).toBe(true);
  return workspace.startIn(workspace.root, env, ...args, '--json').ended;
}

function expectRefusal(finished: Finished, about: string): void {
  // What was done before the disk failed is answered; that it failed then is told beside the answer.
  if (finished.stdout.startsWith('{"version":1,"ok":true')) {
    expect(finished.stdout.trimEnd().split('\n'), about).toHaveLength(1);
    expect(finished.stderr, about).toContain('its files could not be closed');
    return;
  }
  const { error } = toRefusal({ ...finished, stderr: '' });
  expect(error.code, about).not.toMatch(/^cli\.|^kernel\./);
  // The next step is a sentence of its own, or comes after a semicolon.
  expect(error.message, about).toMatch(/(?:;|\.) .+\.$/);
}
