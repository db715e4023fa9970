import { type ChildProcess, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Workspace } from '../cli/oka-process.ts';
import { kill } from '../support/kill.ts';

export const RUNTIME = new URL('../../dist/runtime.js', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('writer-program.mjs', import.meta.url));

/** A write that the product said was stored. */
export interface Acknowledged {
  readonly kind: 'fact' | 'run' | 'message' | 'graph run';
  readonly key: string;
  readonly id: string;
}

/** One writer. Its process can be killed and started again; what was acknowledged is kept. */
export class Writer {
  readonly acknowledged: Acknowledged[] = [];
  readonly #workspace: Workspace;
  readonly #name: string;
  #starts = 0;
  #child: ChildProcess | undefined;
  #ended: Promise<void> = Promise.resolve();
  #complaint = '';
  #wake: () => void = () => undefined;

  constructor(workspace: Workspace, name: string) {
    this.#workspace = workspace;
    this.#name = name;
    onTestFinished(() => this.kill());
  }

  start(): void {
    const { root, home } = this.#workspace;
    this.#starts += 1;
    this.#complaint = '';
    const prefix = `${this.#name}-${this.#starts}`;
    const child = spawn(process.execPath, [PROGRAM, RUNTIME, root, home, prefix], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { PATH: process.env['PATH'], HOME: home, OKA_HOME: home },
    });
    this.#child = child;
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      this.#complaint += text;
    });
    createInterface(child.stdout).on('line', (line) => {
      this.acknowledged.push(JSON.parse(line) as Acknowledged);
      this.#wake();
    });
    this.#ended = new Promise((resolve) => {
      child.on('close', () => {
        this.#wake();
        resolve();
      });
    });
  }

  /** Waits for a number of acknowledgements more. */
  async writes(more: number): Promise<void> {
    const wanted = this.acknowledged.length + more;
    while (this.acknowledged.length < wanted) {
      if (this.#child?.exitCode !== null) throw new Error(`writer ${this.#name} ended: ${this.#complaint}`);
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    }
  }

  /** Ends the process at once; resolves when all that it printed was read. A process that ended earlier is an error. */
  async kill(): Promise<void> {
    if (this.#child === undefined) return;
    const { exitCode, pid } = this.#child;
    if (exitCode !== null) throw new Error(`writer ${this.#name} ended by itself: ${this.#complaint}`);
    kill(pid as number);
    await this.#ended;
    this.#child = undefined;
  }
}
