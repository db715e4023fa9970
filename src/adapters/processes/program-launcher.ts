import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Clock, systemClock } from '../../kernel/index.ts';
import type { ProgramLaunch, SandboxAccess, SandboxDetails } from '../../tools/index.ts';
import { type Bubblewrap, findBubblewrap } from './bubblewrap.ts';
import type { WorkspaceDraft } from './draft.ts';
import { limitCall } from './limit-call.ts';
import { DEFAULT_LIMITS, limitArguments, type ResourceLimits } from './resource-limits.ts';
import { type HostProxy, Sandbox } from './sandbox.ts';
import { endMarked, processNamespace } from './unsandboxed.ts';
import { findProgram, processError, type WorkspacePrograms } from './workspace-programs.ts';

type SandboxMode = 'auto' | 'required' | 'off';

export interface LauncherOptions {
  /** `required` runs nothing without a sandbox; `off` uses none. */
  readonly sandbox: SandboxMode;
  /** Folders hidden in the sandbox, such as those of Oka. */
  readonly hidden?: readonly string[];
  /** Folders that sandboxed programs can read in addition to those of the system. */
  readonly read?: readonly string[];
  readonly limits?: Partial<ResourceLimits>;
  readonly clock?: Clock;
  /** Starts a proxy for programs that may reach certain hosts. */
  readonly openProxy?: (hosts: readonly string[]) => Promise<HostProxy>;
}

export interface LaunchedProgram {
  /** As the person wrote it. */
  readonly name: string;
  readonly program: string;
  readonly args: readonly string[];
  /** The real path of the program, links resolved. */
  readonly real: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly access: SandboxAccess;
  /** Files below `.oka` that the program may read. */
  readonly shown?: readonly string[];
  /** Without a sandbox: `private` gives the program a home of its own, `kept` the one of its environment. */
  readonly home: 'private' | 'kept';
  /** The program works on this draft instead of the workspace. */
  readonly draft?: WorkspaceDraft | undefined;
  /** Its definition, in the user's own file, asks for no sandbox. */
  readonly unconfined?: boolean;
}

/** Prepares programs to start: in bubblewrap if there is one, else with their processes kept together. */
export class ProgramLauncher {
  readonly #options: LauncherOptions;
  readonly #programs: WorkspacePrograms;
  readonly #limits: ResourceLimits;
  #bubblewrap: Bubblewrap | string | undefined;
  #sandbox: Sandbox | undefined;

  constructor(options: LauncherOptions, programs: WorkspacePrograms) {
    this.#options = options;
    this.#programs = programs;
    this.#limits = { ...DEFAULT_LIMITS, ...options.limits };
  }

  get bubblewrap(): Bubblewrap | string {
    this.#bubblewrap ??=
      this.#options.sandbox === 'off'
        ? 'it is disabled in the configuration'
        : findBubblewrap(this.#programs.systemFolders());
    return this.#bubblewrap;
  }

  /** Fails with `process.sandbox_required` if there is no sandbox and the configuration requires one. */
  async prepare(program: LaunchedProgram): Promise<ProgramLaunch> {
    const { bubblewrap } = this;
    const { name } = program;
    if (typeof bubblewrap === 'string' && this.#options.sandbox === 'required')
      throw processError(
        'process.sandbox_required',
        name,
        `"${name}" needs a sandbox, but none is available: ${bubblewrap}. Install bubblewrap, or change "sandbox" in the configuration.`,
      );
    if (program.unconfined && this.#options.sandbox !== 'required')
      return this.#unsandboxed(program, 'its definition turns it off');
    if (typeof bubblewrap === 'string') return this.#unsandboxed(program, bubblewrap);
    const { hidden = [], read = [], clock = systemClock, openProxy } = this.#options;
    this.#sandbox ??= new Sandbox({
      workspace: program.workspace,
      bubblewrap,
      shell: this.shell(name),
      limits: this.#limits,
      clock,
      hidden,
      read,
      ...(openProxy === undefined ? {} : { openProxy }),
    });
    return this.#sandbox.prepare(program);
  }

  async #unsandboxed(program: LaunchedProgram, why: string): Promise<ProgramLaunch> {
    const own = await mkdtemp(join(tmpdir(), `oka-process-${process.pid}-`));
    const [home, temporary] = [join(own, 'home'), join(own, 'tmp')];
    await mkdir(home, { mode: 0o700 });
    await mkdir(temporary, { mode: 0o700 });
    const shell = this.shell(program.name);
    const { clock = systemClock } = this.#options;
    const limit = limitCall(program.name, { shell, limits: this.#limits, clock });
    const namespace = processNamespace(this.#programs.systemFolders());
    const details: SandboxDetails = {
      kind: 'none',
      why,
      namespaces: namespace.length === 0 ? [] : ['user', 'pid', 'mount'],
      seccomp: false,
      limits: { ...this.#limits, enforcedBy: limit.enforcedBy },
      network: true,
    };
    const launcher = limitArguments(shell, this.#limits, 'child');
    const words = [...limit.words, ...namespace, ...launcher, program.program, ...program.args] as [
      string,
      ...string[],
    ];
    return {
      program: words[0],
      args: words.slice(1),
      cwd: program.cwd,
      environment: {
        ...program.environment,
        ...(program.home === 'private' ? { HOME: home } : {}),
        // Also the marker by which its processes are found.
        TMPDIR: temporary,
      },
      details,
      check: async () => {
        limit.requireWithin();
        return [];
      },
      end: async () => {
        endMarked(temporary);
        limit.remove();
        await rm(own, { recursive: true, force: true, maxRetries: 3 });
      },
    };
  }

  shell(name: string): string {
    const shell = findProgram('sh', [...this.#programs.systemFolders(), '/bin', '/usr/bin']);
    if (shell !== undefined) return shell;
    throw processError(
      'process.start_failed',
      name,
      `"${name}" cannot start: no "sh" was found to set its limits. Add its folder to the PATH.`,
    );
  }
}
