import type { Machine } from './machine.ts';
import type { CommandLimits } from './run-command.ts';
import type { ToolPlaces } from './tool-folders.ts';

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
