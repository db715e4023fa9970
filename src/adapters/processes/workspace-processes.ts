import { randomUUID } from 'node:crypto';
import { lstatSync, readdirSync } from 'node:fs';
import { realpath } from 'node:fs/promises';
import { delimiter, join, relative, resolve } from 'node:path';
import { isBelow, userHome } from '../../disk/index.ts';
import type { Binding, BindingPart } from '../../engine/index.ts';
import type { Clock } from '../../kernel/index.ts';
import {
  applyDraft,
  type Files,
  type Processes,
  type ProcessRequest,
  type ProcessResult,
  type ProgramLaunch,
  refuseShell,
  type SandboxAccess,
} from '../../tools/index.ts';
import { checkBinding } from './check-binding.ts';
import { isSmall, WorkspaceDraft } from './draft.ts';
import { type DraftSupport, probeDrafts } from './draft-support.ts';
import { runHardened } from './hardened-git.ts';
import { type LaunchedProgram, type LauncherOptions, ProgramLauncher } from './program-launcher.ts';
import { readableSources } from './readable-sources.ts';
import { LAUNCHER } from './resource-limits.ts';
import { CappedOutput, type CommandEnd, cleanEnvironment, runCommand } from './run-command.ts';
import type { SimulatedFiles } from './simulated-draft.ts';
import {
  folderInside,
  notExecutable,
  processError,
  programMissing,
  startError,
  WorkspacePrograms,
  type WorkspaceProgramsOptions,
} from './workspace-programs.ts';

export interface WorkspaceProcessesOptions extends LauncherOptions, WorkspaceProgramsOptions {
  readonly clock: Clock;
  /** Where drafts are kept, outside the workspace. Without it no program gets one. */
  readonly drafts?: string;
  /** The files of the workspace, which get what defined programs did on their drafts. Without it they get no drafts. */
  readonly files?: Files;
  /** The files of a simulation, in which programs start. */
  readonly simulated?: SimulatedFiles | undefined;
}

/** A program that a definition in a file names. */
export interface DefinedProgram {
  readonly command: readonly string[];
  readonly environment: Readonly<Record<string, string>>;
  readonly access: SandboxAccess;
  /** The user's own file turns the sandbox off. */
  readonly unconfined?: boolean;
  /** It ends before its event does, so it can work on a draft. A draft would show old files to one that stays. */
  readonly endsSoon?: boolean;
}

const DEFAULT_OUTPUT_BYTES = 256 * 1024;
const GRACE_MS = 2_000;
const EXECUTABLE = 0o111;
const SHOWN_BYTES = 2_000;

/** Runs programs in a workspace, in bubblewrap if available; no process outlives the run. */
export class WorkspaceProcesses implements Processes {
  readonly #options: WorkspaceProcessesOptions;
  readonly #programs: WorkspacePrograms;
  readonly #launcher: ProgramLauncher;
  #root: string | undefined;
  #drafts: DraftSupport | undefined;
  /** Drafts of a simulation are its own, whatever keys other runs have. */
  readonly #simulation = randomUUID();

  constructor(options: WorkspaceProcessesOptions) {
    this.#options = options;
    this.#programs = new WorkspacePrograms(options);
    this.#launcher = new ProgramLauncher(options, this.#programs);
  }

  get sandbox(): Processes['sandbox'] {
    const { bubblewrap } = this.#launcher;
    if (typeof bubblewrap === 'string') return { kind: 'none', why: bubblewrap };
    return { kind: 'bubblewrap', version: bubblewrap.version };
  }

  /** A workspace that is too large to copy gets no drafts where views cannot be mounted. */
  get drafts(): Processes['drafts'] {
    this.#drafts ??= this.#findDrafts();
    const { kind, why } = this.#drafts;
    const { workspace } = this.#options;
    // A linked worktree has a file with the place of its repository.
    const withoutGit = lstatSync(join(workspace, '.git'), { throwIfNoEntry: false })?.isFile() === true;
    return { kind, why, withoutGit };
  }

  #findDrafts(): DraftSupport {
    const { drafts: state, workspace } = this.#options;
    const { kind, why = '' } = this.sandbox;
    if (kind === 'none') return { kind, why };
    if (state === undefined) return { kind: 'none', why: 'there is no folder for drafts' };
    const support = probeDrafts({ state, workspace });
    if (support.kind !== 'copy' || isSmall(workspace, readdirSync(workspace))) return support;
    return { kind: 'none', why: `${support.why}, and the workspace is too large to copy` };
  }

  async openDraft(key: string): Promise<WorkspaceDraft> {
    const workspace = await this.#realRoot();
    const support = this.drafts.kind === 'none' ? undefined : this.#drafts;
    if (support === undefined || support.kind === 'none')
      throw processError('process.draft_failed', '', `Programs get no draft here: ${this.drafts.why}.`);
    const { drafts, simulated } = this.#options;
    const folder = drafts as string;
    const ownKey = simulated === undefined ? key : `simulation/${this.#simulation}/${key}`;
    const shell = this.#launcher.shell('sh');
    return WorkspaceDraft.open(ownKey, { folder, workspace, support, shell, simulated });
  }

  async identify(
    { argv, cwd = '.' }: Pick<ProcessRequest, 'argv' | 'cwd'>,
    part: BindingPart,
  ): Promise<Binding['files']> {
    const root = await this.#realRoot();
    // A call in a folder that does not exist fails when it is made.
    const folder = await folderInside(root, cwd).catch(() => root);
    return this.#programs.identify(argv, folder, part);
  }

  async find({ argv: [name = ''], cwd = '.' }: Pick<ProcessRequest, 'argv' | 'cwd'>): Promise<string> {
    const root = await this.#realRoot();
    return (await this.#programAt(name, await this.#folderAt(cwd).catch(() => root))).program;
  }

  /** The real path of a folder of the workspace or of the simulation. */
  async #folderAt(path: string): Promise<string> {
    const root = await this.#realRoot();
    const { simulated } = this.#options;
    const inside = relative(root, resolve(root, path));
    if (simulated?.changedPaths().includes(inside) && (await simulated.state(inside))?.kind === 'folder')
      return join(root, inside);
    return folderInside(root, path);
  }

  /** A program by its name or path, and its real path. */
  async #programAt(name: string, cwd: string): Promise<{ readonly program: string; readonly real: string }> {
    const { simulated } = this.#options;
    const inside = relative(await this.#realRoot(), resolve(cwd, name));
    if (name.includes('/') && simulated?.changedPaths().includes(inside)) {
      const state = await simulated.state(inside);
      const program = resolve(cwd, name);
      if (state?.kind === 'link')
        return { program, real: (await this.#programAt(resolve(program, '..', state.target), cwd)).real };
      if (state === undefined) throw programMissing(name);
      if (state.kind !== 'file' || (state.mode & EXECUTABLE) === 0) throw notExecutable(name);
      return { program, real: program };
    }
    const program = await this.#programs.find(name, cwd);
    return { program, real: await realpath(program) };
  }

  async #realRoot(): Promise<string> {
    this.#root ??= await realpath(this.#options.workspace);
    return this.#root;
  }

  async run(request: ProcessRequest, signal: AbortSignal): Promise<ProcessResult> {
    signal.throwIfAborted();
    const [name = '', ...given] = request.argv;
    const root = await this.#realRoot();
    const cwd = await this.#folderAt(request.cwd ?? '.');
    // A link with another name may point to a shell.
    const { program, real } = await this.#programAt(name, cwd);
    refuseShell([real, ...given], request.stdin);
    return runHardened(real, request, this.#options.clock, (args, about) =>
      this.#run({ name, program, args, real, cwd, workspace: root }, about, signal),
    );
  }

  async #run(
    found: Pick<LaunchedProgram, 'name' | 'program' | 'args' | 'real' | 'cwd' | 'workspace'>,
    request: ProcessRequest,
    signal: AbortSignal,
  ): Promise<ProcessResult> {
    const launch = await this.#launcher.prepare({
      ...found,
      environment: {
        LANG: 'C.UTF-8',
        ...cleanEnvironment(['LANG']),
        TERM: 'dumb',
        ...toolchainEnvironment(found.program),
        ...request.environment,
        PATH: this.#programs.folders().join(delimiter),
      },
      access: { write: ['.'], network: request.network ?? false },
      home: 'private',
      draft: request.draft as WorkspaceDraft | undefined,
    });
    let notes: readonly string[] = [];
    let result: Omit<ProcessResult, 'sandbox'>;
    try {
      try {
        result = await this.#finish(launch, found.cwd, request, signal);
      } finally {
        notes = await launch.check();
      }
    } finally {
      await launch.end();
    }
    rejectUnstarted(result, found.name);
    const { kind, why } = launch.details;
    const note = [...(kind === 'none' ? [`ran without a sandbox: ${why}`] : []), ...notes].join('; ');
    return { ...result, sandbox: kind, confinement: launch.details, ...(note === '' ? {} : { note }) };
  }

  /** Prepares a program that a definition names, such as a hook or a server, with the access that the definition asks for. */
  async launch(defined: DefinedProgram): Promise<ProgramLaunch> {
    const { command, environment, access, unconfined } = defined;
    const [name = '', ...args] = command;
    const workspace = await this.#realRoot();
    const program = await this.#programs.find(name, workspace);
    const { read, shown } = readableSources([program, ...args], workspace);
    const draft = await this.#draftFor(defined);
    const launch = await this.#launcher.prepare({
      ...{ name, program, args, workspace, environment, shown },
      real: await realpath(program),
      cwd: workspace,
      access: { ...access, read: [...(access.read ?? []), ...read] },
      home: 'kept',
      draft,
      ...(unconfined ? { unconfined } : {}),
    });
    const { files } = this.#options;
    if (draft === undefined || files === undefined) return launch;
    return {
      ...launch,
      check: async () => [...(await launch.check()), ...(await applyDraft(draft, files))],
      end: async () => {
        await launch.end();
        await draft.discard();
      },
    };
  }

  async #draftFor({ access, unconfined, endsSoon }: DefinedProgram): Promise<WorkspaceDraft | undefined> {
    const writes = access.write !== undefined && access.write.length > 0;
    if (!endsSoon || unconfined || !writes || this.#options.files === undefined) return undefined;
    return this.drafts.kind === 'none' ? undefined : this.openDraft(`defined/${randomUUID()}`);
  }

  async #finish(
    launch: ProgramLaunch,
    folder: string,
    request: ProcessRequest,
    signal: AbortSignal,
  ): Promise<Omit<ProcessResult, 'sandbox'>> {
    const name = request.argv[0] as string;
    const half = Math.ceil((request.maxOutputBytes ?? DEFAULT_OUTPUT_BYTES) / 2);
    const [stdout, stderr] = [new CappedOutput(half, half), new CappedOutput(half, half)];
    const { stdin, timeoutMs, onOutput } = request;
    const { program, args, cwd, environment, filter } = launch;
    const command = {
      program,
      args,
      cwd,
      environment,
      ...(stdin === undefined ? {} : { stdin }),
      ...(filter === undefined ? {} : { filter }),
      stdout,
      stderr,
      ...(onOutput === undefined ? {} : { onOutput }),
      timeoutMs,
      graceMs: GRACE_MS,
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

/** Toolchains that find their files by the home folder, which programs do not see. */
function toolchainEnvironment(program: string): Readonly<Record<string, string>> {
  const rustup = join(userHome(), '.rustup');
  return isBelow(join(userHome(), '.cargo'), program) ? { RUSTUP_HOME: rustup } : {};
}

/** The sandbox and the launcher report on stderr what failed before the program started. */
function rejectUnstarted(
  { exitCode, stdout, stderr }: Omit<ProcessResult, 'sandbox'>,
  program: string,
): void {
  if (stdout !== '' || exitCode === 0) return;
  if (new RegExp(`^${LAUNCHER}: [^\\n]*not found\\n?$`).test(stderr)) throw programMissing(program);
  if (!/^bwrap: [^\n]*\n?$/.test(stderr)) return;
  throw processError(
    'process.start_failed',
    program,
    `The sandbox for "${program}" failed to start (${stderr.trim()}). Set "sandbox" to "off" if this machine does not support it.`,
  );
}
