/** Where a package comes from that needs no root to install. */
export type Ecosystem = 'node' | 'python';

/** Versions from one on and below another, each as its leading numbers: `3`, `0.25`. Left out: no bound. */
export interface VersionRange {
  readonly from?: string;
  readonly below?: string;
}

/** What a person or a planner asks for. */
export interface InstallRequest {
  readonly ecosystem: Ecosystem;
  readonly package: string;
  /** Exact; left out: the newest that the catalogue's policy allows. */
  readonly version?: string | undefined;
}

/** A checked request, with what the catalogue says of it. */
export interface InstallOrder extends InstallRequest {
  readonly versions: VersionRange;
  /** Programs that it may offer although the machine has others of that name. */
  readonly commands: readonly string[];
}

/** One package of those that an install brought, as the registry told its hash. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** What stands in the workspace's own tools. */
export interface InstalledPackage extends LockedPackage {
  readonly ecosystem: Ecosystem;
  /** The programs that can be called by name. */
  readonly bins: readonly string[];
  /** Programs left out, because the machine has some of that name. */
  readonly withheld: readonly string[];
  /** Everything else that the install put in place, sorted by name; of Python, the whole environment. */
  readonly dependencies: readonly LockedPackage[];
}

export type MissingKind =
  | 'command'
  | 'python_module'
  | 'python_package'
  | 'node_module'
  | 'node_package'
  | 'shared_library';

/** Something that a process needed and the machine did not have, and the line that says so. */
export interface MissingDependency {
  readonly kind: MissingKind;
  readonly name: string;
  /** Where Node looked: `import` finds only the packages of the project itself. */
  readonly loader?: 'require' | 'import';
  readonly evidence: string;
}

/** A reviewed package: what it is asked for by, and which of its versions may be installed without asking anybody. */
export interface PackageEntry {
  readonly ecosystem: Ecosystem;
  readonly package: string;
  readonly versions: VersionRange;
  readonly commands: readonly string[];
  readonly modules: readonly string[];
}

/** Something that only root can install: the package of Debian that brings it, for the suggested line of a Dockerfile. */
export interface SystemEntry {
  readonly ecosystem: 'system';
  readonly package: string;
  readonly commands: readonly string[];
  readonly modules: readonly string[];
  readonly libraries: readonly string[];
}
