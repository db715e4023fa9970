export type SandboxKind = 'bubblewrap' | 'none';

/** Nothing, all of the network, or the named hosts: `example.org`, `*.example.org`, with `:port` for other ports than 80 and 443. */
export type NetworkAccess = boolean | { readonly hosts: readonly string[] };

/** What a program may reach. Paths are relative to the workspace, or start with `/` or `~/`. */
export interface SandboxAccess {
  /** Readable in addition to the workspace and the system. */
  readonly read?: readonly string[];
  /** Writable; `.` is the workspace. */
  readonly write?: readonly string[];
  readonly network?: NetworkAccess;
}

/** What confined a program, recorded with its result. */
export interface SandboxDetails {
  readonly kind: SandboxKind;
  /** Why there is no sandbox. */
  readonly why?: string;
  readonly version?: string;
  readonly namespaces: readonly string[];
  /** Whether a filter for system calls was active. */
  readonly seccomp: boolean;
  readonly limits: Readonly<Record<string, number | string>>;
  readonly network: NetworkAccess;
}

/** A program that is ready to be started. */
export interface ProgramLaunch {
  readonly program: string;
  readonly args: readonly string[];
  readonly cwd: string;
  /** The complete environment. */
  readonly environment: Readonly<Record<string, string>>;
  /** What the program reads from file descriptor 3 when it starts. */
  readonly filter?: Uint8Array;
  readonly details: SandboxDetails;
  /** Undoes what the program may not leave in the workspace, and says what that was. */
  check(): Promise<readonly string[]>;
  /** Releases what the launch holds. Call it once, when the program has ended. */
  end(): Promise<void>;
}

/** The network access in words. */
export function describeNetwork(network: NetworkAccess): string {
  if (typeof network === 'object') return `the hosts ${network.hosts.join(', ')}`;
  return network ? 'all of the network' : 'no network';
}

/** The confinement in one line. */
export function describeSandbox(details: SandboxDetails): string {
  const { kind, version, why, seccomp, network } = details;
  if (kind === 'none') return `no sandbox (${why})`;
  return `${kind} ${version}, ${seccomp ? 'system calls filtered' : 'system calls not filtered'}, ${describeNetwork(network)}`;
}
