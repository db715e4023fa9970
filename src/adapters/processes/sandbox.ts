// Owns: starting a program in bubblewrap with the access that was asked for, and checking the workspace when it has ended.
import { basename, relative, resolve } from 'node:path';
import { isBelow } from '../../disk/index.ts';
import type { Clock } from '../../kernel/index.ts';
import type { NetworkAccess, ProgramLaunch, SandboxAccess, SandboxDetails } from '../../tools/index.ts';
import {
  type Bubblewrap,
  NAMESPACES,
  SANDBOX_HOME,
  SANDBOX_TEMPORARY,
  sandboxArguments,
  watchGuardedNames,
} from './bubblewrap.ts';
import type { WorkspaceDraft } from './draft.ts';
import { limitCall } from './limit-call.ts';
import { PROXY_ENVIRONMENT, PROXY_SOCKET, relayArguments } from './network-relay.ts';
import { RepositoryMetadata, repositoryGuards } from './repository-metadata.ts';
import { limitArguments, type ResourceLimits } from './resource-limits.ts';
import { seccompFilter } from './seccomp-filter.ts';
import { existing, expandHome } from './visible-folders.ts';
import { processError } from './workspace-programs.ts';

/** A proxy that reaches only certain hosts. */
export interface HostProxy {
  /** Its Unix socket. */
  readonly socket: string;
  close(): Promise<void>;
}

export interface SandboxOptions {
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly bubblewrap: Bubblewrap;
  /** A shell outside the workspace. */
  readonly shell: string;
  readonly limits: ResourceLimits;
  readonly clock: Clock;
  readonly hidden: readonly string[];
  readonly read: readonly string[];
  readonly openProxy?: (hosts: readonly string[]) => Promise<HostProxy>;
}

export interface SandboxedProgram {
  readonly program: string;
  readonly args: readonly string[];
  /** The real path of the program, links resolved. */
  readonly real: string;
  readonly cwd: string;
  readonly environment: Readonly<Record<string, string>>;
  readonly access: SandboxAccess;
  /** Files below `.oka` that the program may read. */
  readonly shown?: readonly string[];
  /** The program works on this draft instead of the workspace. */
  readonly draft?: WorkspaceDraft | undefined;
}

interface Guard {
  readonly words: readonly string[];
  readonly check: ProgramLaunch['check'];
}

const NO_GUARD: Guard = { words: [], check: async () => [] };

/** The sandbox of one workspace. */
export class Sandbox {
  readonly #options: SandboxOptions;
  readonly #repositories: RepositoryMetadata;

  constructor(options: SandboxOptions) {
    this.#options = options;
    this.#repositories = new RepositoryMetadata(options.workspace);
  }

  async prepare(program: SandboxedProgram): Promise<ProgramLaunch> {
    const { workspace, bubblewrap, shell, limits } = this.#options;
    const { access, real, draft } = program;
    const hosts = typeof access.network === 'object' ? access.network.hosts : undefined;
    const write = this.#resolve(access.write ?? [], program.program);
    const workspaceIsWritable = write.some((path) => isWithin(path, workspace));
    const guard = draft === undefined ? await this.#guard(real, workspaceIsWritable) : NO_GUARD;
    const proxy = hosts === undefined ? undefined : await this.#openProxy(hosts, program.program);
    const limit = limitCall(program.program, this.#options);
    const filter = seccompFilter({ unixSockets: access.network !== true });
    const outside = write.filter((path) => path !== workspace);
    const args = [
      ...sandboxArguments(bubblewrap, {
        programs: [program.program, real],
        temporaryMb: limits.temporaryMb,
        workspace,
        ...(draft === undefined ? {} : { source: draft.view }),
        cwd: program.cwd,
        network: access.network === true,
        hidden: this.#options.hidden,
        read: [...this.#options.read, ...this.#resolve(access.read ?? [], program.program)],
        write: outside.filter((path) => !isBelow(workspace, path)),
        workspaceIsWritable,
        shown: program.shown ?? [],
        guards: [
          ...outside
            .filter((path) => isBelow(workspace, path))
            .flatMap((path) => [
              '--bind',
              resolve(draft?.view ?? workspace, relative(workspace, path)),
              path,
            ]),
          ...guard.words,
        ],
      }),
      ...(proxy === undefined ? [] : ['--bind', proxy.socket, PROXY_SOCKET]),
      ...(filter === undefined ? [] : ['--seccomp', '3']),
      '--',
      ...(proxy === undefined ? [] : relayArguments()),
      ...limitArguments(shell, limits, 'exec'),
      program.program,
      ...program.args,
    ];
    const start = [bubblewrap.program, ...args];
    const words = [...limit.words, ...(draft?.wrap(start) ?? start)] as [string, ...string[]];
    return {
      program: words[0],
      args: words.slice(1),
      cwd: workspace,
      environment: {
        ...(proxy === undefined ? {} : PROXY_ENVIRONMENT),
        ...program.environment,
        HOME: SANDBOX_HOME,
        TMPDIR: SANDBOX_TEMPORARY,
      },
      ...(filter === undefined ? {} : { filter }),
      details: this.#details(access.network ?? false, filter !== undefined, limit.enforcedBy),
      check: async () => {
        const notes = write.length === 0 ? [] : await guard.check();
        limit.requireWithin();
        return notes;
      },
      end: async () => {
        limit.remove();
        await proxy?.close();
      },
    };
  }

  /** Protects the repositories of a workspace that a program may write to itself. */
  async #guard(real: string, workspaceIsWritable: boolean): Promise<Guard> {
    const { workspace } = this.#options;
    const forGit = workspaceIsWritable && basename(real) === 'git' && !isBelow(workspace, real);
    const before = await this.#repositories.scan();
    const checkNames = watchGuardedNames(workspace);
    return {
      words: repositoryGuards(workspace, before, forGit),
      check: async () => [
        ...(await checkNames()),
        ...(await this.#repositories.disableNew(before, forGit)),
        ...(before.complete
          ? []
          : ['the workspace has too many folders to check all of them for repositories']),
      ],
    };
  }

  #details(network: NetworkAccess, seccomp: boolean, enforcedBy: string): SandboxDetails {
    const { bubblewrap, limits } = this.#options;
    return {
      kind: 'bubblewrap',
      version: bubblewrap.version,
      namespaces: [...NAMESPACES, ...(network === true ? [] : ['network'])],
      seccomp,
      limits: { ...limits, enforcedBy },
      network: typeof network === 'object' ? { hosts: network.hosts } : network,
    };
  }

  /** The real paths of folders that a definition names, relative to the workspace; those that are absent are left out. */
  #resolve(paths: readonly string[], program: string): readonly string[] {
    const { workspace, hidden } = this.#options;
    return paths.flatMap((path) => {
      const written = path.startsWith('~') ? expandHome(path) : resolve(workspace, path);
      const [real] = existing([written]);
      if (real === undefined) return [];
      const leadsOut = isWithin(workspace, written) && !isWithin(workspace, real);
      if (
        leadsOut ||
        existing(hidden).some((folder) => isWithin(folder, real) && !isWithin(workspace, folder))
      )
        throw processError(
          'process.start_failed',
          program,
          `"${program}" may not be given "${path}": ${leadsOut ? 'it is a link that leads out of the workspace' : 'it belongs to Oka'}. Remove it from "sandbox" in the definition.`,
          { data: { path } },
        );
      return [real];
    });
  }

  async #openProxy(hosts: readonly string[], program: string): Promise<HostProxy> {
    const { openProxy } = this.#options;
    if (openProxy !== undefined) return openProxy(hosts);
    throw processError(
      'process.start_failed',
      program,
      `"${program}" asks for some hosts only, but there is no proxy here. Use "network": true or false.`,
    );
  }
}

function isWithin(folder: string, path: string): boolean {
  return path === folder || isBelow(folder, path);
}
