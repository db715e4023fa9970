import { mkdir, mkdtemp, realpath, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { Binding, BindingPart } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import {
  type InstallRecord,
  type Processes,
  type ProcessRequest,
  type ProcessResult,
  refuseShell,
} from '../../tools/index.ts';
import {
  type Bubblewrap,
  findBubblewrap,
  SANDBOX_HOME,
  SANDBOX_TEMPORARY,
  sandboxArguments,
  watchGuardedNames,
} from './bubblewrap.ts';
import { checkBinding } from './check-binding.ts';
import { CappedOutput, type CommandEnd, cleanEnvironment, runCommand } from './run-command.ts';
import {
  folderInside,
  processError,
  programMissing,
  startError,
  WorkspacePrograms,
} from './workspace-programs.ts';

export interface WorkspaceProcessesOptions {
  readonly workspace: string;
  /** Folders of installed programs, searched before the PATH; relative to the workspace. */
  readonly toolFolders: readonly string[];
  /** What Oka installed there; without it the tool folders are ignored. */
  readonly installs?: InstallRecord['read'];
  /** `required` runs nothing without a sandbox; `off` uses none. */
  readonly sandbox: 'auto' | 'required' | 'off';
  readonly clock: Clock;
  /** Folders hidden in the sandbox, in addition to homes. */
  readonly hidden?: readonly string[];
}

const DEFAULT_OUTPUT_BYTES = 256 * 1024;
const GRACE_MS = 2_000;
const SHOWN_BYTES = 2_000;

/** A program with its arguments and folders. */
interface Prepared {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The folder of the program, if it starts in another one. */
  readonly folder?: string;
  readonly home: string;
  readonly temporary: string;
}

/** Runs programs in a workspace, in bubblewrap if available; no process outlives the run. */
export class WorkspaceProcesses implements Processes {
  readonly #options: WorkspaceProcessesOptions;
  readonly #programs: WorkspacePrograms;
  #bubblewrap: Bubblewrap | string | undefined;
  #root: string | undefined;

  constructor(options: WorkspaceProcessesOptions) {
    this.#options = options;
    this.#programs = new WorkspacePrograms(options.workspace, options.toolFolders, options.installs);
  }

  get sandbox(): Processes['sandbox'] {
    this.#bubblewrap ??=
      this.#options.sandbox === 'off'
        ? 'it is disabled in the configuration'
        : findBubblewrap(this.#programs.systemFolders());
    if (typeof this.#bubblewrap === 'string') return { kind: 'none', why: this.#bubblewrap };
    return { kind: 'bubblewrap' };
  }

  async identify(
    { argv, cwd = '.' }: Pick<ProcessRequest, 'argv' | 'cwd'>,
    part: BindingPart,
  ): Promise<Binding['files']> {
    this.#root ??= await realpath(this.#options.workspace);
    // A call in a folder that does not exist fails when it is made.
    const folder = await folderInside(this.#root, cwd).catch(() => undefined);
    return this.#programs.identify(argv, folder ?? this.#root, part);
  }

  async run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult> {
    signal.throwIfAborted();
    const [name = '', ...args] = request.argv;
    const { kind, why } = this.sandbox;
    if (kind === 'none' && this.#options.sandbox === 'required')
      throw processError(
        'process.sandbox_required',
        name,
        `"${name}" needs a sandbox, but none is available: ${why}. Install bubblewrap, or change "sandbox" in the configuration.`,
      );
    this.#root ??= await realpath(this.#options.workspace);
    const cwd = await folderInside(this.#root, request.cwd ?? '.');
    const program = await this.#programs.find(name, cwd);
    // A link with another name may point to a shell.
    const real = await realpath(program);
    refuseShell([real, ...args], request.stdin);
    return kind === 'none'
      ? this.#runUnsandboxed({ program, args, cwd }, request, signal, `ran without a sandbox: ${why}`)
      : this.#runSandboxed({ program, args, cwd, real }, request, signal);
  }

  async #runSandboxed(
    found: Pick<Prepared, 'program' | 'args' | 'cwd'> & { readonly real: string },
    request: ProcessRequest,
    signal: AbortSignal,
  ): Promise<ProcessResult> {
    const workspace = this.#root as string;
    const bubblewrap = this.#bubblewrap as Bubblewrap;
    const cleanUp = await watchGuardedNames(workspace);
    const { network = false } = request;
    const { hidden = [] } = this.#options;
    const about = { program: found.real, workspace, cwd: found.cwd, network, hidden };
    const inside = sandboxArguments(bubblewrap, about);
    let notes: readonly string[] = [];
    const prepared = {
      program: bubblewrap.program,
      args: [...inside, found.program, ...found.args],
      cwd: workspace,
      folder: found.cwd,
      home: SANDBOX_HOME,
      temporary: SANDBOX_TEMPORARY,
    };
    const result = await this.#finish(prepared, request, signal).finally(async () => {
      notes = await cleanUp();
    });
    rejectUnstarted(result, request.argv[0] as string);
    return { ...result, sandbox: 'bubblewrap', ...(notes.length === 0 ? {} : { note: notes.join('; ') }) };
  }

  async #runUnsandboxed(
    found: Pick<Prepared, 'program' | 'args' | 'cwd'>,
    request: ProcessRequest,
    signal: AbortSignal,
    note: string,
  ): Promise<ProcessResult> {
    const own = await mkdtemp(join(tmpdir(), `oka-process-${process.pid}-`));
    const [home, temporary] = [join(own, 'home'), join(own, 'tmp')];
    try {
      await mkdir(home, { mode: 0o700 });
      await mkdir(temporary, { mode: 0o700 });
      const result = await this.#finish({ ...found, home, temporary }, request, signal);
      return { ...result, sandbox: 'none', note };
    } finally {
      await rm(own, { recursive: true, force: true, maxRetries: 3 });
    }
  }

  async #finish(
    { program, args, cwd, folder = cwd, home, temporary }: Prepared,
    request: ProcessRequest,
    signal: AbortSignal,
  ): Promise<Omit<ProcessResult, 'sandbox'>> {
    const name = request.argv[0] as string;
    const half = Math.ceil((request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES) / 2);
    const [stdout, stderr] = [new CappedOutput(half, half), new CappedOutput(half, half)];
    const { stdin, timeoutMs } = request;
    const command = {
      program,
      args,
      cwd,
      environment: {
        LANG: 'C.UTF-8',
        ...cleanEnvironment(['LANG']),
        TERM: 'dumb',
        ...request.environment,
        PATH: this.#programs.folders().join(delimiter),
        HOME: home,
        TMPDIR: temporary,
      },
      ...(stdin === undefined ? {} : { stdin }),
      stdout,
      stderr,
      timeoutMs,
      graceMs: GRACE_MS,
      endsLeftovers: true,
    };
    let end: CommandEnd;
    // As late as possible: what was checked may change until the program starts.
    await checkBinding(this.#programs, request, folder);
    try {
      end = await runCommand(command, this.#options.clock, signal);
    } catch (error) {
      throw startError(error, name);
    }
    if (end.stopped === 'abort') signal.throwIfAborted();
    if (end.stopped === 'timeout')
      throw processError(
        'process.timed_out',
        name,
        `"${name}" did not end within ${timeoutMs / 1_000} seconds and was stopped with its child processes. Allow more time, or reduce the work.`,
        {
          data: {
            timeoutMs,
            stdout: stdout.text().slice(-SHOWN_BYTES),
            stderr: stderr.text().slice(-SHOWN_BYTES),
          },
        },
      );
    return {
      exitCode: end.exitCode,
      signal: end.signal,
      stdout: stdout.text(),
      stderr: stderr.text(),
      truncated: stdout.truncated || stderr.truncated,
    };
  }
}

/** Bubblewrap reports on stderr what failed before the program started. */
function rejectUnstarted(
  { exitCode, stdout, stderr }: Omit<ProcessResult, 'sandbox'>,
  program: string,
): void {
  if (exitCode !== 1 || stdout !== '' || !/^bwrap: [^\n]*\n?$/.test(stderr)) return;
  if (/execvp .*: No such file/.test(stderr)) throw programMissing(program);
  throw processError(
    'process.start_failed',
    program,
    `The sandbox for "${program}" failed to start (${stderr.trim()}). Set "sandbox" to "off" if this machine does not support it.`,
  );
}
