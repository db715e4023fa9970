import { join } from 'node:path';
import type { InstallRecord } from '../../tools/index.ts';
import { InstalledFiles } from './installed-files.ts';
import { PACKAGES_FILE, toolPlaces } from './tool-folders.ts';

/**
 * Variables that programs need to find installed modules; empty if nothing is installed. Modules that came with the folder are
 * not offered.
 */
export function toolEnvironment(workspace: string, record: InstallRecord): Readonly<Record<string, string>> {
  const places = toolPlaces(workspace);
  const installed = new InstalledFiles(places, record);
  const links = installed.nodeLinks();
  const hasModules = links.length > 0 && links.every((link) => installed.packageOf(link) !== undefined);
  const hasPython = installed.has(join(places.python, PACKAGES_FILE));
  return {
    // A program that writes bytecode into the environment would change what is recorded.
    ...(hasPython ? { VIRTUAL_ENV: places.python, PYTHONDONTWRITEBYTECODE: '1' } : {}),
    ...(hasModules ? { NODE_PATH: places.nodeModules } : {}),
  };
}
