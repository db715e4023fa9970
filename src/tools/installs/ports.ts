import type { InstalledPackage, InstallOrder } from './types.ts';

/**
 * Installs into the workspace's own tools and nowhere else: no install scripts, exact versions, hashes checked. An install
 * appears whole or not at all, also when the process is killed. Refusals are OkaErrors with an EnvironmentErrorCode.
 */
export interface Installer {
  /** Idempotent. `fresh` says whether anything had to be done. */
  install(
    order: InstallOrder,
    signal: AbortSignal,
  ): Promise<{ readonly installed: InstalledPackage; readonly fresh: boolean }>;
  /** Takes a package away again; false when it is not there. */
  remove(packageName: Pick<InstallOrder, 'ecosystem' | 'package'>, signal: AbortSignal): Promise<boolean>;
  list(): Promise<readonly InstalledPackage[]>;
  /** Does one thing at a time for the whole workspace, also across processes. Not to be nested. */
  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T>;
}
