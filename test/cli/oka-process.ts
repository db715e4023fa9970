// The built `oka`, on a workspace and a user folder of the test's. `oka`, `answer`, `refusal` and `verified` pass the command
// to a process that has it loaded already; `start` starts a process of its own, for tests of starts, signals and streams.

import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, onTestFinished } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { RunAnswer, VerifyAnswer } from '../../src/api/index.ts';
import { servedHomes, serverEnvironment } from '../support/server-environment.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { trustFolder } from '../support/trust-folder.ts';
import { ResidentOka } from './resident-oka.ts';

export const PROGRAM = fileURLToPath(new URL('../../bin/oka.cjs', import.meta.url));

/** How long a test waits for output; shorter than the limit of a test, so that the failure shows the output. */
const WAIT_LIMIT_MS = 50_000;

export const BRIEF = 'write a brief of this folder to BRIEF.md';

export interface Finished {
  readonly exitCode: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
}

export interface Failure {
  readonly code: string;
  readonly message: string;
  readonly data: Readonly<Record<string, unknown>>;
}

/** A process that a test watches; killed with the test if it is still there. */
export class Watched {
  readonly child: ChildProcess;
  readonly ended: Promise<Finished>;
  readonly #heard = { stdout: '', stderr: '' };
  readonly #lookers = new Set<() => void>();
  #isClosed = false;

  constructor(command: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const [program, ...args] = command;
    this.child = spawn(program as string, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdin?.on('error', () => undefined);
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this.#heard[name] += text;
        this.#lookAgain();
      });
    }
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (exitCode, signal) => {
        this.#isClosed = true;
        this.#lookAgain();
        resolve({ exitCode, signal, ...this.#heard });
      });
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  get heard(): string {
    return this.#heard.stdout;
  }

  /** Waits until a stream contains these words; resolves to everything in the stream. */
  said(words: string | RegExp, stream: 'stdout' | 'stderr' = 'stderr'): Promise<string> {
    const isSaid = (text: string): boolean =>
      typeof words === 'string' ? text.includes(words) : words.test(text);
    return this.until(
      () => (isSaid(this.#heard[stream]) ? this.#heard[stream] : undefined),
      () => `No "${String(words)}" on ${stream}: ${this.#heard.stdout}${this.#heard.stderr}`,
    );
  }

  /**
   * Resolves to what `look` finds. It looks now and after all output, and fails with `complaint` when the process ends or
   * the limit passes. It subscribes before the first look, so no output between a look and the wait is missed.
   */
  until<T>(look: () => T | undefined, complaint: () => string, limitMs = WAIT_LIMIT_MS): Promise<T> {
    return new Promise((resolve, reject) => {
      const fail = (why: string): void => finish(() => reject(new Error(`${why}. ${complaint()}`)));
      const finish = (settle: () => void): void => {
        clearTimeout(limit);
        this.#lookers.delete(again);
        settle();
      };
      const again = (): void => {
        try {
          const found = look();
          if (found !== undefined) finish(() => resolve(found));
          else if (this.#isClosed) fail('The process ended');
        } catch (error) {
          finish(() => reject(error));
        }
      };
      const limit = setTimeout(() => fail(`Nothing after ${limitMs} ms`), limitMs);
      this.#lookers.add(again);
      again();
    });
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }

  #lookAgain(): void {
    for (const look of [...this.#lookers]) look();
  }
}

export interface WorkspaceOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly config?: unknown;
  /** Put in front of every command, such as a program that takes away rights. */
  readonly through?: readonly string[];
  /** Commands with `through` share one process too, because the test is not about their start. */
  readonly stays?: boolean;
  readonly root?: string;
  readonly home?: string;
  /** Another `oka` than the built one of this checkout, with the environment that it needs. */
  readonly program?: { readonly command: readonly string[]; readonly env: NodeJS.ProcessEnv };
}

interface Surroundings {
  readonly folder?: string;
  readonly env?: NodeJS.ProcessEnv;
  /** Standard input; empty unless given. */
  readonly input?: string | Uint8Array;
}

const resident = new ResidentOka();

/** The process that runs the commands of a workspace, or none if each has its own. */
function residentFor({ through = [], stays = false, program }: WorkspaceOptions): ResidentOka | undefined {
  if (program !== undefined) return undefined;
  if (through.length === 0) return resident;
  if (!stays) return undefined;
  const own = new ResidentOka({ through });
  onTestFinished(() => own.end());
  return own;
}

/** A folder with files, and the `oka` of a person who has a user folder of their own. */
export class Workspace {
  readonly root: string;
  readonly home: string;
  readonly #through: readonly string[];
  readonly #program: WorkspaceOptions['program'];
  readonly #resident: ResidentOka | undefined;

  constructor(options: WorkspaceOptions = {}) {
    this.root = options.root ?? tempFolder();
    this.home = options.home ?? join(tempFolder(), 'home');
    this.#through = options.through ?? [];
    this.#program = options.program;
    this.#resident = residentFor(options);
    servedHomes.set(this.root, this.home);
    for (const [path, content] of Object.entries(options.files ?? SMALL_PROJECT)) this.put(path, content);
    if (options.config !== undefined) this.put('.oka/config.json', JSON.stringify(options.config));
  }

  /** A workspace that is made and trusted already, without a command, as most tests are not about that. */
  static trusted(options: WorkspaceOptions = {}): Workspace {
    const workspace = new Workspace(options);
    new WorkspaceFolder(workspace.root).create();
    trustFolder(workspace.home, workspace.root);
    return workspace;
  }

  /** How `oka` is started, without arguments. */
  get command(): readonly string[] {
    return this.#program?.command ?? [process.execPath, PROGRAM];
  }

  get environment(): NodeJS.ProcessEnv {
    const own = {
      PATH: process.env['PATH'],
      HOME: this.home,
      TERM: 'xterm-256color',
      OKA_HOME: this.home,
      OKA_CHECK_ANSWERS: '1',
    };
    return { ...own, ...serverEnvironment(), ...this.#program?.env };
  }

  start(...args: readonly string[]): Watched {
    return this.startIn(this.root, {}, ...args);
  }

  startIn(folder: string, env: NodeJS.ProcessEnv, ...args: readonly string[]): Watched {
    const started = this.#startOpenIn(folder, env, args);
    started.child.stdin?.end();
    return started;
  }

  /** As `start`, with a standard input that the test writes. */
  startOpen(...args: readonly string[]): Watched {
    return this.#startOpenIn(this.root, {}, args);
  }

  #startOpenIn(folder: string, env: NodeJS.ProcessEnv, args: readonly string[]): Watched {
    // A program in front may change the current folder.
    const place = this.#through.length > 0 && !args.includes('-C') ? ['-C', folder] : [];
    const command = [...this.#through, ...this.command, ...place, ...args];
    return new Watched(command, { cwd: folder, env: { ...this.environment, ...env } });
  }

  /** How a command ends and what it prints, without a terminal and with an empty standard input. */
  oka(...args: readonly string[]): Promise<Finished> {
    return this.okaWith({}, ...args);
  }

  /** As `oka`, in another folder, with more environment or with a standard input. */
  async okaWith(given: Surroundings, ...args: readonly string[]): Promise<Finished> {
    const { folder: cwd = this.root, env = {}, input = '' } = given;
    if (this.#resident !== undefined)
      return this.#resident.run({
        args,
        cwd,
        env: { ...this.environment, ...env },
        input: Buffer.from(input).toString('base64'),
      });
    const started = this.#startOpenIn(cwd, env, args);
    started.child.stdin?.end(input);
    return started.ended;
  }

  /** The data of a command that answers with `--json`, and how it ended. */
  async answer<T = RunAnswer>(...args: readonly string[]): Promise<{ exitCode: number | null; data: T }> {
    return toAnswer<T>(await this.oka(...args, '--json'));
  }

  /** The error of a command that cannot answer. */
  async refusal(...args: readonly string[]): Promise<{ exitCode: number | null; error: Failure }> {
    return toRefusal(await this.oka(...args, '--json'));
  }

  /** Proves the ledger and answers with the number of its events. */
  async verified(): Promise<number> {
    const { exitCode, data } = await this.answer<VerifyAnswer>('ledger', 'verify');
    expect(data).toMatchObject({ ok: true, faults: [] });
    expect(exitCode).toBe(0);
    return data.events;
  }

  at(path: string): string {
    return join(this.root, path);
  }

  put(path: string, content: string | Uint8Array): void {
    mkdirSync(dirname(this.at(path)), { recursive: true });
    writeFileSync(this.at(path), content);
  }

  /** Writes the configuration of the workspace, and approves what may act by it. */
  configure(config: unknown): void {
    this.put('.oka/config.json', JSON.stringify(config));
    trustFolder(this.home, this.root);
  }

  /** Writes into the person's own folder. */
  putAtHome(path: string, content: string): void {
    mkdirSync(dirname(join(this.home, path)), { recursive: true });
    writeFileSync(join(this.home, path), content);
  }

  homeText(path: string): string {
    return readFileSync(join(this.home, path), 'utf8');
  }

  text(path: string): string {
    return readFileSync(this.at(path), 'utf8');
  }

  has(path: string): boolean {
    return existsSync(this.at(path));
  }

  /** The lines of the mirror, parsed. A ledger on a server has no mirror; its export has the same lines. */
  mirror(): { seq: number; stream: string; type: string; data: Record<string, unknown> }[] {
    return (this.#isOnServer ? this.#exported() : this.text('.oka/run_ledger.jsonl'))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line));
  }

  get #isOnServer(): boolean {
    return serverEnvironment()['OKA_LEDGER_URL'] !== undefined;
  }

  #exported(): string {
    const [program = '', ...args] = [...this.command, 'ledger', 'export'];
    const options = { cwd: this.root, env: this.environment, encoding: 'utf8', maxBuffer: 1 << 28 } as const;
    return spawnSync(program, args, options).stdout;
  }

  /** How often an event of this type stands in the mirror. */
  count(type: string): number {
    return this.mirror().filter((event) => event.type === type).length;
  }
}

export const SMALL_PROJECT = {
  'README.md': '# Garden\n\nPlans for beds and paths.\n',
  'src/beds.ts': 'export const beds = 3; // TODO count them\n',
  'notes/späte Blüte.md': '# Späte Blüte\n',
};

export function toAnswer<T>(finished: Finished): { exitCode: number | null; data: T } {
  const { warnings: _, ...envelope } = onlyLine(finished) as Envelope<{ data: T }>;
  expect(envelope, finished.stderr).toEqual({ version: 1, ok: true, data: expect.anything() });
  return { exitCode: finished.exitCode, data: envelope.data };
}

export function toRefusal(finished: Finished): { exitCode: number | null; error: Failure } {
  const { warnings: _, ...envelope } = onlyLine(finished) as Envelope<{ error: Failure }>;
  expect(envelope).toEqual({
    version: 1,
    ok: false,
    error: {
      code: expect.stringMatching(/^[a-z]+\.[a-z_]+$/),
      message: expect.any(String),
      data: expect.any(Object),
    },
  });
  return { exitCode: finished.exitCode, error: envelope.error };
}

type Envelope<Content> = Content & { version: number; ok: boolean; warnings?: unknown };

/** With `--json` there is one line on stdout and nothing else anywhere. */
function onlyLine({ stdout, stderr }: Finished): unknown {
  expect(stderr).toBe('');
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(stdout);
}
