import { lstatSync, realpathSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { isBelow } from '../../disk/index.ts';
import { containsHome } from './visible-folders.ts';

/** Files that mark the folder of a program's source. */
const PACKAGE_FILES = ['package.json', 'pyproject.toml', 'setup.py', 'go.mod', 'Cargo.toml', 'deno.json'];
const MAX_LEVELS = 6;

/**
 * What a command names besides its program, so that an approved `node /opt/server/dist/index.js` can read its own source:
 * files and folders outside the workspace, and files below `.oka`.
 */
export function readableSources(
  words: readonly string[],
  workspace: string,
): { readonly read: readonly string[]; readonly shown: readonly string[] } {
  const read: string[] = [];
  const shown: string[] = [];
  const own = join(workspace, '.oka');
  for (const word of words) {
    if (word.length > 4_096 || word.includes('\0')) continue;
    const path = resolve(workspace, word);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat === undefined) continue;
    if (isBelow(own, path)) {
      if (stat.isFile()) shown.push(path);
    } else if (path !== workspace && !isBelow(workspace, path)) read.push(path, packageAround(path));
  }
  return { read: read.filter((path) => !containsHome(path)), shown };
}

/** The folder of the package that a file belongs to, with its dependencies; the file itself if there is none. */
function packageAround(path: string): string {
  const real = realpathSync.native(path);
  // A package finds its dependencies in the folder around it.
  const installed = /^.*?\/node_modules(?=\/)/.exec(real)?.[0];
  if (installed !== undefined) return installed;
  let folder = dirname(real);
  for (let level = 0; level < MAX_LEVELS && !containsHome(folder); level += 1) {
    if (PACKAGE_FILES.some((name) => lstatSync(join(folder, name), { throwIfNoEntry: false })?.isFile()))
      return folder;
    folder = dirname(folder);
  }
  return real;
}
