import type { Machine } from './machine.ts';
import type { CommandLimits } from './run-command.ts';
import type { ToolPlaces } from './tool-folders.ts';

/** Where packages come from, as the person's own configuration says; never as the workspace does. */
export interface InstallSources {
  readonly npmRegistry?: string | undefined;
  readonly pipIndex?: string | undefined;
  /** A folder of wheels; given alone, no index is asked. */
  readonly wheelFolder?: string | undefined;
}

/** What one install works with. */
export interface InstallWork {
  readonly places: ToolPlaces;
  readonly machine: Machine;
  readonly sources: InstallSources;
  readonly limits: CommandLimits;
  /** A folder of this install alone, gone after it. */
  readonly staging: string;
  /** The home that installers see. */
  readonly home: string;
}

/** Programs of a package that are offered: not those that the machine has already, unless the catalogue says so. */
export function offeredBins(
  bins: readonly string[],
  allowed: readonly string[],
  machine: Machine,
): { readonly bins: readonly string[]; readonly withheld: readonly string[] } {
  const named = bins.filter((bin) => /^[A-Za-z0-9_][A-Za-z0-9_.+-]{0,99}$/.test(bin)).sort();
  const isOffered = (bin: string): boolean => allowed.includes(bin) || machine.programs(bin).length === 0;
  return { bins: named.filter(isOffered), withheld: named.filter((bin) => !isOffered(bin)) };
}
