import { execFileSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { tempFolder } from '../support/temp-folder.ts';
import { Watched } from './oka-process.ts';

/** A place where a run stops until it is let through: a hook that reads from a pipe. */
export class Gate {
  readonly #pipe: string;
  readonly #keeper: Watched;

  constructor() {
    this.#pipe = join(tempFolder(), 'gate');
    execFileSync('mkfifo', [this.#pipe]);
    // Opening a pipe for writing waits for whoever reads from it.
    const script = 'exec 3> "$0"; echo arrived; read -r word';
    this.#keeper = new Watched(['sh', '-c', script, this.#pipe], {
      cwd: '/',
      env: { PATH: process.env['PATH'] },
    });
  }

  /** For the configuration; once the gate is open, it holds nobody. */
  hook(on: string): { on: string; command: string[]; sandbox: { read: string[] } } {
    const command = ['sh', '-c', 'test ! -p "$0" || cat "$0"', this.#pipe];
    return { on, command, sandbox: { read: [dirname(this.#pipe)] } };
  }

  /** Passes when a run stands at the gate. */
  async reached(): Promise<void> {
    await this.#keeper.said('arrived', 'stdout');
  }

  async open(): Promise<void> {
    rmSync(this.#pipe);
    this.#keeper.child.stdin?.end();
    await this.#keeper.ended;
  }
}
