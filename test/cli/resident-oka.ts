import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { onTestFinished } from 'vitest';

const COMMAND_LINE = new URL('../../dist/cli.js', import.meta.url).href;
const RESIDENT = fileURLToPath(new URL('resident-program.mjs', import.meta.url));

export interface Command {
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env: NodeJS.ProcessEnv;
}

export interface Printed {
  readonly exitCode: number;
  readonly stdout: string;
  readonly stderr: string;
}

/**
 * The built command line in a process that stays, because starting Node costs ten times what most commands do. It runs
 * one command at a time; tests about processes, signals, streams and terminals start their own.
 */
export class ResidentOka {
  #child: ChildProcess | undefined;
  #before: Promise<unknown> = Promise.resolve();

  run(command: Command): Promise<Printed> {
    const printed = this.#before.then(() => this.#ask(command));
    this.#before = printed.catch(() => undefined);
    return printed;
  }

  #ask(command: Command): Promise<Printed> {
    this.#child ??= start();
    const child = this.#child;
    return new Promise((resolve, reject) => {
      const onExit = (exitCode: number | null, signal: NodeJS.Signals | null): void => {
        this.#child = undefined;
        reject(new Error(`oka ${command.args.join(' ')} ended its process: ${exitCode ?? signal}`));
      };
      child.once('exit', onExit);
      child.once('message', (printed) => {
        child.off('exit', onExit);
        resolve(printed as Printed);
      });
      // A command that outlasts its test must not hold up the next one.
      onTestFinished(() => void (child.listeners('exit').includes(onExit) && child.kill('SIGKILL')));
      child.send(command);
    });
  }
}

/** Starts the process; it ends with the one that runs the tests, and keeps nobody waiting. */
function start(): ChildProcess {
  const child = fork(RESIDENT, [COMMAND_LINE], {
    execArgv: [],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  child.unref();
  child.channel?.unref();
  return child;
}
