import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';
import type { Finished } from './oka-process.ts';

const COMMAND_LINE = new URL('../../dist/cli.js', import.meta.url).href;
const PROGRAM = fileURLToPath(new URL('../../bin/oka.cjs', import.meta.url));
const RESIDENT = fileURLToPath(new URL('resident-program.mjs', import.meta.url));

export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
  /** The bytes of standard input in base64. */
  readonly input: string;
}

interface ResidentOptions {
  /** Put in front of the process, such as a program that takes away rights. */
  readonly through?: readonly string[];
  /** Whether a command has closed every file when it ends, as a process of its own has. SQLite's driver waits for the garbage collector. */
  readonly freesFiles?: boolean;
}

/**
 * The built command line in a process that stays, because starting Node costs ten times what most commands do. Commands at
 * the same time run in processes of their own, as they do for users. A command that outlasts its test is killed.
 */
export class ResidentOka {
  readonly #start: () => ChildProcess;
  #idle: ChildProcess | undefined;

  constructor(options: ResidentOptions = {}) {
    this.#start = () => start(options);
  }

  run(command: Command): Promise<Finished> {
    const child = this.#idle ?? this.#startOne();
    this.#idle = undefined;
    return new Promise((resolve, reject) => {
      const onExit = (exitCode: number | null, signal: NodeJS.Signals | null): void =>
        reject(new Error(`oka ${command.args.join(' ')} ended its process: ${exitCode ?? signal}`));
      child.once('exit', onExit);
      child.once('message', (printed) => {
        child.off('exit', onExit);
        this.#keep(child);
        resolve({ signal: null, ...(printed as Omit<Finished, 'signal'>) });
      });
      onTestFinished(() => void (child.listeners('exit').includes(onExit) && child.kill('SIGKILL')));
      child.send(command);
    });
  }

  /** Ends the process that waits for a command. */
  end(): void {
    this.#idle?.disconnect();
  }

  #keep(child: ChildProcess): void {
    if (this.#idle) child.disconnect();
    else this.#idle = child;
  }

  #startOne(): ChildProcess {
    const child = this.#start();
    child.on('exit', () => {
      if (this.#idle === child) this.#idle = undefined;
    });
    return child;
  }
}

/** Starts a process that ends with the process of the tests. */
function start({ through = [], freesFiles = false }: ResidentOptions): ChildProcess {
  const node = [process.execPath, ...(freesFiles ? ['--expose-gc'] : [])];
  const [program, ...args] = [...through, ...node, RESIDENT, COMMAND_LINE, PROGRAM];
  const child = spawn(program as string, args, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
  child.unref();
  child.channel?.unref();
  return child;
}
