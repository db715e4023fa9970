import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { onTestFinished } from 'vitest';
import { tempFolder } from '../support/temp-folder.ts';
import { Watched, type Workspace } from './oka-process.ts';

/** Why there is no terminal to be had here, if there is none. */
export const noTerminal =
  spawnSync('tmux', ['-V']).status === 0
    ? undefined
    : 'tmux is not installed, which gives tests a real terminal';

/** A real terminal in which a person types: tmux, which tells in its control mode what appears. */
export class Terminal {
  readonly #tmux: Watched;
  readonly #socket: string;

  /** `then` is what the shell does with the command, such as sending its answer to a file. */
  constructor(
    workspace: Workspace,
    args: readonly string[],
    options: { env?: NodeJS.ProcessEnv; then?: string; columns?: number; rows?: number } = {},
  ) {
    const socket = join(tempFolder('oka-tmux-'), 'socket');
    this.#socket = socket;
    const command = [...workspace.command, ...args].map((word) => `'${word}'`).join(' ');
    const size = ['-x', String(options.columns ?? 120), '-y', String(options.rows ?? 40)];
    const shell = `trap : INT; ${command} ${options.then ?? ''}; echo "[exit $?]"; read -r word`;
    this.#tmux = new Watched(
      ['tmux', '-u', '-S', socket, '-f', '/dev/null', '-C', 'new-session', ...size, shell],
      {
        cwd: workspace.root,
        env: {
          ...workspace.environment,
          LC_ALL: 'C.UTF-8',
          SHELL: '/bin/sh',
          ...options.env,
        },
      },
    );
    onTestFinished(({ task }) => {
      if (task.result?.state === 'fail') console.error(`the terminal at the end:\n${this.#screen()}`);
      spawnSync('tmux', ['-S', socket, 'kill-server']);
    });
  }

  /** Waits until these words appear; resolves to all output so far, with escape codes. */
  async shows(words: RegExp): Promise<string> {
    const shown = (): string => decode(this.#tmux.heard);
    return this.#tmux.until(
      () => (words.test(stripVTControlCharacters(shown())) ? shown() : undefined),
      () => `${String(words)} never appeared. The screen:\n${this.#screen()}`,
    );
  }

  type(text: string): void {
    this.#send(`send-keys -l '${text}'`);
  }

  /** What a person sees now, without what has scrolled away. */
  visible(): string {
    return spawnSync('tmux', ['-u', '-S', this.#socket, 'capture-pane', '-p'], { encoding: 'utf8' }).stdout;
  }

  press(key: 'Enter' | 'Down' | 'Tab' | 'M-Enter' | 'C-c' | 'C-d' | 'BSpace'): void {
    this.#send(`send-keys ${key}`);
  }

  /** Presses a key of an approval card until these words appear, because a new card drops the first keys. */
  async decide(key: 'y' | '2' | 'Enter' | 'C-c', words: RegExp): Promise<string> {
    const press = (): void => this.#send(`send-keys ${key}`);
    press();
    const again = setInterval(press, 1_000);
    return this.sees(words).finally(() => clearInterval(again));
  }

  /** Waits until these words are on the screen; resolves to the screen and what has scrolled off it. */
  sees(words: RegExp): Promise<string> {
    const look = (): string | undefined => {
      const screen = this.#screen();
      return words.test(screen) ? screen : undefined;
    };
    return this.#tmux.until(look, () => `${String(words)} is not on the screen:\n${this.#screen()}`);
  }

  /** How the command ended. */
  async exitCode(): Promise<number> {
    return Number(/\[exit (\d+)\]/.exec(await this.shows(/\[exit \d+\]/))?.[1]);
  }

  /** The screen and what has scrolled off it. */
  #screen(): string {
    const { stdout, stderr } = spawnSync(
      'tmux',
      ['-u', '-S', this.#socket, 'capture-pane', '-p', '-S', '-'],
      {
        encoding: 'utf8',
      },
    );
    return `${stdout.trimEnd()}${stderr}`;
  }

  #send(command: string): void {
    this.#tmux.child.stdin?.write(`${command}\n`);
  }
}

/** What a pane was given: control mode has it in lines, with bytes below the space as octal numbers. */
function decode(control: string): string {
  return control
    .split('\n')
    .flatMap((line) => /^%output %\d+ (.*)$/s.exec(line)?.[1] ?? [])
    .join('')
    .replaceAll(/\\(\d{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));
}
