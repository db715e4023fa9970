import { lstatSync, mkdirSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode } from '../../tools/index.ts';

/** The folders whose programs come before the machine's own, in order. They may be absent. */
export function toolFolders(workspace: string): readonly string[] {
  const { bin, nodeBin, python } = toolPlaces(workspace);
  return [bin, nodeBin, join(python, 'bin')];
}

/** What programs need beside the PATH to find installed modules; empty while nothing is installed. */
export function toolEnvironment(workspace: string): Readonly<Record<string, string>> {
  const { nodeModules, python } = toolPlaces(workspace);
  return {
    ...(isFolder(python) ? { VIRTUAL_ENV: python } : {}),
    ...(isFolder(nodeModules) ? { NODE_PATH: nodeModules } : {}),
  };
}

/** Where each thing lies below `.oka/tools`. */
export function toolPlaces(workspace: string) {
  const root = join(workspace, '.oka', 'tools');
  return {
    root,
    /** A link to each program of each package. */
    bin: join(root, 'bin'),
    nodeBin: join(root, 'node', 'bin'),
    /** A link to each Node package; it is what says that one is installed. */
    nodeModules: join(root, 'node', 'node_modules'),
    /** Each Node package whole, with what it depends on. */
    nodePackages: join(root, 'node', 'packages'),
    /** A link to the generation in force. */
    python: join(root, 'python'),
    generations: join(root, 'generations'),
    cache: join(root, 'cache'),
    /** What is under way, and what an interrupted install left. */
    staging: join(root, 'staging'),
  };
}

export type ToolPlaces = ReturnType<typeof toolPlaces>;

/** Makes a folder of the workspace's tools; none of the folders above it may be a link that leads elsewhere. */
export function makeToolFolder(places: ToolPlaces, folder: string): string {
  const above = dirname(dirname(places.root));
  const chain: string[] = [];
  for (let one = folder; one !== above; one = dirname(one)) chain.unshift(one);
  for (const one of chain) {
    mkdirSync(one, { recursive: true, mode: 0o700 });
    if (lstatSync(one).isSymbolicLink()) {
      throw new OkaError<EnvironmentErrorCode>(
        'environment.link_refused',
        `${one} is a link, and nothing is installed through links; replace it by a folder, or remove it.`,
        { data: { path: one } },
      );
    }
  }
  return folder;
}

function isFolder(path: string): boolean {
  return statSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
