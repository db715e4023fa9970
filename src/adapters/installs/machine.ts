import type { ChildProcess } from 'node:child_process';
import { delimiter, isAbsolute, join, relative } from 'node:path';
import { isProgram } from '../../disk/index.ts';
import { type Clock, OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';
import type { ToolPlaces } from './tool-folders.ts';

/** Environment variables that installers inherit: network settings only. */
const INHERITED = [
  'HTTP_PROXY',
  'HTTPS_PROXY',
  'NO_PROXY',
  'http_proxy',
  'https_proxy',
  'no_proxy',
  'SSL_CERT_FILE',
  'SSL_CERT_DIR',
  'NODE_EXTRA_CA_CERTS',
  'REQUESTS_CA_BUNDLE',
  'PIP_CERT',
];

/** The machine's programs for installers: found outside the workspace, run in a clean environment. */
export class Machine {
  readonly path: readonly string[];
  readonly #inherited: Readonly<Record<string, string>>;

  constructor(workspace: string, environment: Readonly<Record<string, string | undefined>>) {
    this.path = (environment['PATH'] ?? '')
      .split(delimiter)
      .filter((folder) => isAbsolute(folder) && !isWithin(folder, workspace));
    this.#inherited = Object.fromEntries(
      INHERITED.flatMap((name) => (environment[name] === undefined ? [] : [[name, environment[name]]])),
    );
  }

  /** Every program of that name on the PATH, in order. */
  programs(name: string): readonly string[] {
    return this.path.map((folder) => join(folder, name)).filter(isProgram);
  }

  run(
    argv: readonly [string, ...string[]],
    place: {
      readonly cwd: string;
      readonly home: string;
      readonly environment?: Readonly<Record<string, string>>;
    },
    limits: CommandLimits,
  ): Promise<CommandEnd> {
    const environment = {
      PATH: this.path.join(delimiter),
      HOME: place.home,
      TMPDIR: place.cwd,
      LANG: 'C.UTF-8',
      ...this.#inherited,
      ...place.environment,
    };
    return runCommand({ argv, cwd: place.cwd, environment }, limits);
  }
}

/** Fails unless the command succeeded; the error contains its last output. */
export function requireSuccess(
  end: CommandEnd,
  what: string,
  data: Readonly<Record<string, string>>,
): CommandEnd {
  if (end.exitCode === 0) return end;
  const said = lastLines(end.stderr.trim() || end.stdout);
  const fail = (code: EnvironmentErrorCode, message: string, transient = false): OkaError =>
    new OkaError(code, `${what} ${message}`, { data, transient });
  if (end.timedOut)
    throw fail(
      'environment.install_timed_out',
      'timed out; nothing was changed. Try again with a better network.',
      true,
    );
  if (OTHER_HASH.test(said))
    throw fail(
      'environment.unverified',
      `received content that does not match its hash and discarded it: ${said} Do not use that registry until this is explained.`,
    );
  if (NOT_FOUND.test(said))
    throw fail(
      'environment.package_not_found',
      `failed: no such package, or no prebuilt version for this machine: ${said} Check the name and the version.`,
    );
  const message = `failed; nothing was changed. Output: ${said} Fix that and try again.`;
  throw fail('environment.install_failed', message, true);
}

const OTHER_HASH = /\bEINTEGRITY\b|DO NOT MATCH THE HASHES/;
const NOT_FOUND = /\bE404\b|\bETARGET\b|No matching distribution found|\bENOVERSIONS\b/;

function lastLines(text: string): string {
  const lines = text.split('\n').map((line) => line.trim());
  return lines.filter(Boolean).slice(-12).join('\n').slice(-1_500);
}

function isWithin(path: string, folder: string): boolean {
  const inside = relative(folder, path);
  return inside === '' || (!inside.startsWith('..') && !isAbsolute(inside));
}

interface Command {
  readonly argv: readonly [string, ...string[]];
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
}

export interface CommandLimits {
  readonly clock: Clock;
  readonly timeLimitMs: number;
  readonly signal: AbortSignal;
}

interface CommandEnd {
  /** Null if it was killed. */
  readonly exitCode: number | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly timedOut: boolean;
}

const MAX_OUTPUT = 1_048_576;

/** Runs a program in its own environment and process group, which is killed at the time limit. */
async function runCommand(command: Command, limits: CommandLimits): Promise<CommandEnd> {
  const { spawn } = await import('node:child_process');
  const { clock, timeLimitMs, signal } = limits;
  signal.throwIfAborted();
  return new Promise((resolve, reject) => {
    const [program, ...args] = command.argv;
    const child = spawn(program, args, {
      cwd: command.cwd,
      env: command.environment,
      detached: true,
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let [stdout, stderr] = ['', ''];
    let timedOut = false;
    child.stdout.setEncoding('utf8').on('data', (text: string) => {
      stdout = (stdout + text).slice(-MAX_OUTPUT);
    });
    child.stderr.setEncoding('utf8').on('data', (text: string) => {
      stderr = (stderr + text).slice(-MAX_OUTPUT);
    });
    const onAbort = (): void => endGroup(child);
    const cancelTimer = clock.callAt(clock.now() + timeLimitMs, () => {
      timedOut = true;
      endGroup(child);
    });
    signal.addEventListener('abort', onAbort);
    const cleanUp = (): void => {
      cancelTimer();
      signal.removeEventListener('abort', onAbort);
    };
    child.on('error', (error) => {
      cleanUp();
      reject(error);
    });
    child.on('close', (exitCode) => {
      cleanUp();
      if (signal.aborted) reject(signal.reason as Error);
      else resolve({ exitCode, stdout, stderr, timedOut });
    });
    if (signal.aborted) onAbort();
  });
}

function endGroup(child: ChildProcess): void {
  if (child.pid === undefined) return;
  try {
    process.kill(-child.pid, 'SIGKILL');
  } catch {
    // It has already ended.
  }
  // Output of processes outside the group is no longer read.
  child.stdout?.destroy();
  child.stderr?.destroy();
}

/** Package sources from the user's configuration, never from the workspace's. */
export interface InstallSources {
  readonly npmRegistry?: string | undefined;
  readonly pipIndex?: string | undefined;
  /** A folder of wheels; without an index, only this folder is used. */
  readonly wheelFolder?: string | undefined;
}

export interface InstallWork {
  readonly places: ToolPlaces;
  readonly machine: Machine;
  readonly sources: InstallSources;
  readonly limits: CommandLimits;
  /** A temporary folder of this install. */
  readonly staging: string;
  /** The HOME of installers. */
  readonly home: string;
}

/** The programs of a package that are linked: not those that the machine already has, unless the catalogue allows it. */
export function offeredBins(
  bins: readonly string[],
  allowed: readonly string[],
  machine: Machine,
): { readonly bins: readonly string[]; readonly withheld: readonly string[] } {
  const named = bins.filter((bin) => /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$/.test(bin)).sort();
  const isOffered = (bin: string): boolean => allowed.includes(bin) || machine.programs(bin).length === 0;
  return { bins: named.filter(isOffered), withheld: named.filter((bin) => !isOffered(bin)) };
}
