import type { Digest } from '../../kernel/index.ts';

/** A package registry whose packages install without root. */
export type Ecosystem = 'node' | 'python';

/** Versions from `from` (included) to `below` (excluded), by their leading numbers: `3`, `0.25`. */
export interface VersionRange {
  readonly from?: string;
  readonly below?: string;
}

export interface InstallRequest {
  readonly ecosystem: Ecosystem;
  readonly package: string;
  /** An exact version. Default: the newest that the catalogue allows. */
  readonly version?: string | undefined;
}

/** A checked request with the data of the catalogue. */
export interface InstallOrder extends InstallRequest {
  readonly versions: VersionRange;
  /** Programs that it provides even if the machine has programs of that name. */
  readonly commands: readonly string[];
}

/** An installed package with the hash from its registry. */
export interface LockedPackage {
  readonly name: string;
  readonly version: string;
  readonly integrity: string;
}

/** A package in the workspace's own tools. */
export interface InstalledPackage extends LockedPackage {
  readonly ecosystem: Ecosystem;
  /** Programs that can be called by name. */
  readonly bins: readonly string[];
  /** Programs that are not linked, because the machine has programs of that name. */
  readonly withheld: readonly string[];
  /** All other installed packages, sorted by name; for Python, the whole environment. */
  readonly dependencies: readonly LockedPackage[];
}

/** A file that Oka installed: where its name leads, and its content unless that is the machine's own file. */
export interface RecordedFile {
  readonly target: string;
  readonly digest?: Digest;
}

/** What Oka installed into a workspace, by path below `.oka/tools`. Stored outside the workspace. */
export interface InstallRecord {
  read(): Readonly<Record<string, RecordedFile>>;
  write(files: Readonly<Record<string, RecordedFile>>): void;
}

/** A program in `.oka/tools/bin` that Oka did not install. */
export interface OwnProgram {
  readonly name: string;
  /** Where its file is, links followed, relative to the workspace. */
  readonly path: string;
  readonly digest: Digest;
}

export type MissingKind =
  | 'command'
  | 'python_module'
  | 'python_package'
  | 'node_module'
  | 'node_package'
  | 'shared_library';

/** A dependency that a process missed, and the output line that says so. */
export interface MissingDependency {
  readonly kind: MissingKind;
  readonly name: string;
  /** How Node searched: `import` finds only packages of the project itself. */
  readonly loader?: 'require' | 'import';
  readonly evidence: string;
}

/** A reviewed package: the names it provides and the versions that install without approval. */
export interface PackageEntry {
  readonly ecosystem: Ecosystem;
  readonly package: string;
  readonly versions: VersionRange;
  readonly commands: readonly string[];
  readonly modules: readonly string[];
}

/** A Debian package, which only root can install. */
export interface SystemEntry extends Pick<PackageEntry, 'package' | 'commands' | 'modules'> {
  readonly ecosystem: 'system';
  readonly libraries: readonly string[];
}

export type EnvironmentErrorCode =
  | 'environment.invalid_package'
  | 'environment.invalid_source'
  | 'environment.package_not_found'
  | 'environment.install_needed'
  | 'environment.install_failed'
  | 'environment.install_timed_out'
  | 'environment.installer_missing'
  | 'environment.unverified'
  | 'environment.needs_root'
  | 'environment.link_refused'
  | 'environment.busy';

/**
 * Installs packages into the workspace's own tools: exact versions, checked hashes, no install scripts. An install is atomic,
 * even if the process is killed. Fails with an EnvironmentErrorCode.
 */
export interface Installer {
  /** Idempotent. `fresh` is false if the package was already installed. */
  install(
    order: InstallOrder,
    signal: AbortSignal,
  ): Promise<{ readonly installed: InstalledPackage; readonly fresh: boolean }>;
  /** Removes a package; false if it is not installed. */
  remove(packageName: Pick<InstallOrder, 'ecosystem' | 'package'>, signal: AbortSignal): Promise<boolean>;
  list(): Promise<readonly InstalledPackage[]>;
  /** Runs one task at a time in the whole workspace, also across processes. Must not be nested. */
  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
