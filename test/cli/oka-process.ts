// The built `oka`, on a workspace and a user folder of the test's. `oka` and `start` start it as people do, in a process
// of its own; `answer`, `refusal` and `verified` hand the command to one that is loaded already.

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

  constructor(command: readonly string[], options: { cwd: string; env: NodeJS.ProcessEnv }) {
    const [program, ...args] = command;
    this.child = spawn(program as string, args, { ...options, stdio: ['pipe', 'pipe', 'pipe'] });
    this.child.stdin?.on('error', () => undefined);
    for (const name of ['stdout', 'stderr'] as const) {
      this.child[name]?.setEncoding('utf8').on('data', (text: string) => {
        this.#heard[name] += text;
      });
    }
    this.ended = new Promise((resolve, reject) => {
      this.child.on('error', reject);
      this.child.on('close', (exitCode, signal) => resolve({ exitCode, signal, ...this.#heard }));
    });
    onTestFinished(() => void this.child.kill('SIGKILL'));
  }

  /** Waits until a stream has said these words; answers with all that it has said. */
  async said(words: string | RegExp, stream: 'stdout' | 'stderr' = 'stderr'): Promise<string> {
    const isSaid = (): boolean =>
      typeof words === 'string' ? this.#heard[stream].includes(words) : words.test(this.#heard[stream]);
    while (!isSaid()) await this.more(stream, `it did not say "${String(words)}"`);
    return this.#heard[stream];
  }

  /** Waits until a stream says more; when it ends instead, that is an error with this complaint. */
  async more(stream: 'stdout' | 'stderr', complaint: string): Promise<void> {
    const before = this.#heard[stream].length;
    const news = new Promise<void>((resolve) => {
      this.child[stream]?.once('data', () => resolve());
    });
    await Promise.race([news, this.ended]);
    if (this.#heard[stream].length > before) return;
    throw new Error(`${complaint}, but ended: ${this.#heard.stdout}${this.#heard.stderr}`);
  }

  kill(signal: NodeJS.Signals): void {
    this.child.kill(signal);
  }
}

export interface WorkspaceOptions {
  readonly files?: Readonly<Record<string, string | Uint8Array>>;
  readonly config?: unknown;
  /** Put in front of every command, such as a program that takes away rights. */
  readonly through?: readonly string[];
  readonly root?: string;
  readonly home?: string;
  /** Another `oka` than the built one of this checkout, with the environment that it needs. */
  readonly program?: { readonly command: readonly string[]; readonly env: NodeJS.ProcessEnv };
}

const resident = new ResidentOka();

/** A folder with files, and the `oka` of a person who has a user folder of their own. */
export class Workspace {
  readonly root: string;
  readonly home: string;
  readonly #through: readonly string[];
  readonly #program: WorkspaceOptions['program'];

  constructor(options: WorkspaceOptions = {}) {
    this.root = options.root ?? tempFolder();
    this.home = options.home ?? join(tempFolder(), 'home');
    this.#through = options.through ?? [];
    this.#program = options.program;
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
    // What stands in front may change the current folder.
    const place = this.#through.length > 0 && !args.includes('-C') ? ['-C', folder] : [];
    const command = [...this.#through, ...this.command, ...place, ...args];
    const started = new Watched(command, { cwd: folder, env: { ...this.environment, ...env } });
    started.child.stdin?.end();
    return started;
  }

  /** As `start`, with a standard input that the test writes. */
  startOpen(...args: readonly string[]): Watched {
    return new Watched([...this.#through, ...this.command, ...args], {
      cwd: this.root,
      env: this.environment,
    });
  }

  oka(...args: readonly string[]): Promise<Finished> {
    return this.start(...args).ended;
  }

  /** The data of a command that answers with `--json`, and how it ended. */
  async answer<T = RunAnswer>(...args: readonly string[]): Promise<{ exitCode: number | null; data: T }> {
    return toAnswer<T>(await this.#quickly(...args, '--json'));
  }

  /** The error of a command that cannot answer. */
  async refusal(...args: readonly string[]): Promise<{ exitCode: number | null; error: Failure }> {
    return toRefusal(await this.#quickly(...args, '--json'));
  }

  /** How a command ends, without a process of its own unless something must stand in front of it. */
  async #quickly(...args: readonly string[]): Promise<Finished> {
    if (this.#through.length > 0 || this.#program !== undefined) return this.oka(...args);
    return { signal: null, ...(await resident.run({ args, cwd: this.root, env: this.environment })) };
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
  const envelope = onlyLine(finished) as { version: number; ok: boolean; data: T };
  expect(envelope, finished.stderr).toEqual({ version: 1, ok: true, data: expect.anything() });
  return { exitCode: finished.exitCode, data: envelope.data };
}

export function toRefusal(finished: Finished): { exitCode: number | null; error: Failure } {
  const envelope = onlyLine(finished) as { version: number; ok: boolean; error: Failure };
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

/** With `--json` there is one line on stdout and nothing else anywhere. */
function onlyLine({ stdout, stderr }: Finished): unknown {
  expect(stderr).toBe('');
  expect(stdout.endsWith('\n')).toBe(true);
  expect(stdout.trimEnd().split('\n')).toHaveLength(1);
  return JSON.parse(stdout);
}
