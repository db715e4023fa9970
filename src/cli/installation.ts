import { existsSync } from 'node:fs';
import { basename, dirname, join, sep } from 'node:path';

/** How Oka was installed: from its sources, by npm for all folders, by npx for one command, or in a project. */
export interface Installation {
  readonly kind: 'checkout' | 'global' | 'npx' | 'project';
  readonly folder: string;
  /** The project that depends on Oka. */
  readonly project?: string;
}

/** Only the published package has no sources. Reads names and paths, and starts nothing. */
export function findInstallation(folder: string): Installation {
  if (existsSync(join(folder, 'src', 'cli', 'main.ts'))) return { kind: 'checkout', folder };
  if (folder.split(sep).includes('_npx')) return { kind: 'npx', folder };
  const modules = dirname(folder);
  const project = dirname(modules);
  // npm puts global packages into lib/node_modules, which has no package.json above it.
  const isProject = basename(modules) === 'node_modules' && existsSync(join(project, 'package.json'));
  return isProject ? { kind: 'project', folder, project } : { kind: 'global', folder };
}
