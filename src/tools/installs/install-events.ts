import type { EventDraft } from '../../ledger/index.ts';
import type { InstalledPackage } from './types.ts';

/** The stream of what was installed into the workspace's own tools. */
export const ENVIRONMENT_STREAM = 'environment';

/** The event that a package was installed, with the hash of everything that came with it. */
export function dependencyInstalled(
  installed: InstalledPackage,
  by: { readonly run: string; readonly step: number },
): EventDraft {
  const { ecosystem, name, version, integrity, bins, dependencies } = installed;
  return {
    type: 'dependency.installed',
    data: {
      ecosystem,
      package: name,
      version,
      integrity,
      bins: [...bins],
      dependencies: dependencies.map((one) => ({ ...one })),
      run: by.run,
      step: by.step,
    },
  };
}
