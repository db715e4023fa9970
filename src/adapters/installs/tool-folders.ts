import { lstatSync, mkdirSync, readlinkSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative } from 'node:path';
import { readJsonFile } from '../../disk/index.ts';
import { OkaError } from '../../kernel/index.ts';
import type { EnvironmentErrorCode, InstalledPackage } from '../../tools/index.ts';

/** The folders that precede the PATH, in order. They may not exist. */
export function toolFolders(workspace: string): readonly string[] {
  const { bin, nodeBin, python } = toolPlaces(workspace);
  return [bin, nodeBin, join(python, 'bin')];
}

/** The layout of `.oka/tools`. */
export function toolPlaces(workspace: string) {
  const root = join(workspace, '.oka', 'tools');
  return {
    root,
    /** Links to all programs of all packages, and whatever the user puts there. */
    bin: join(root, 'bin'),
    nodeBin: join(root, 'node', 'bin'),
    /** Links to all Node packages; a link marks a package as installed. */
    nodeModules: join(root, 'node', 'node_modules'),
    /** Each Node package with its dependencies. */
    nodePackages: join(root, 'node', 'packages'),
    /** A link to the active generation. */
    python: join(root, 'python'),
    generations: join(root, 'generations'),
    cache: join(root, 'cache'),
    /** Installs in progress, and leftovers of interrupted ones. */
    staging: join(root, 'staging'),
  };
}

export type ToolPlaces = ReturnType<typeof toolPlaces>;

/** Creates a folder for tools; none of its parents may be a symbolic link. */
export function makeToolFolder(places: ToolPlaces, folder: string): string {
  const above = dirname(dirname(places.root));
  const chain: string[] = [];
  for (let one = folder; one !== above; one = dirname(one)) chain.unshift(one);
  for (const one of chain) {
    mkdirSync(one, { recursive: true, mode: 0o700 });
    if (lstatSync(one).isSymbolicLink()) {
      throw new OkaError<EnvironmentErrorCode>(
        'environment.link_refused',
        `${one} is a symbolic link, and Oka does not install through links. Replace it with a folder, or remove it.`,
        { data: { path: one } },
      );
    }
  }
  return folder;
}

/** Points `link` to `target` atomically, replacing what exists; returns true if that changed anything. */
export function replaceLink(link: string, target: string, staging: string): boolean {
  const existing = lstatSync(link, { throwIfNoEntry: false });
  if (existing?.isSymbolicLink() && readlinkSync(link) === target) return false;
  // A folder cannot be replaced by a link atomically; it is moved away first.
  if (existing?.isDirectory()) renameSync(link, join(staging, 'replaced'));
  const fresh = join(staging, 'link');
  rmSync(fresh, { force: true });
  symlinkSync(target, fresh);
  renameSync(fresh, link);
  return true;
}

/** Links a program into `bin`, unless the user has something of that name there. */
export function linkProgram(places: ToolPlaces, target: string, staging: string): boolean {
  const link = join(makeToolFolder(places, places.bin), basename(target));
  const isFree = lstatSync(link, { throwIfNoEntry: false }) === undefined;
  return (isFree || isOwnLink(link)) && replaceLink(link, relative(places.bin, target), staging);
}

/** Whether a path in `bin` is a link as `linkProgram` makes it. Everything else there is the user's and stays as it is. */
export function isOwnLink(link: string): boolean {
  if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return false;
  const target = /^\.\.\/(?:node\/packages\/[^/]+\/node_modules\/\.bin|python\/bin)\/([^/]+)$/.exec(
    readlinkSync(link),
  );
  return target?.[1] === basename(link);
}

/** The file in a folder that lists its packages. */
export const PACKAGES_FILE = 'oka-install.json';

/** The packages in a folder. The record is written before the folder is renamed into place, so a recorded install is complete. */
export function readRecord(folder: string): readonly InstalledPackage[] {
  try {
    const record = readJsonFile(join(folder, PACKAGES_FILE));
    return (record as { packages: readonly InstalledPackage[] }).packages;
  } catch {
    // Missing, or edited by hand; unreadable packages are installed again.
    return [];
  }
}

export function writeRecord(folder: string, packages: readonly InstalledPackage[]): void {
  writeFileSync(join(folder, PACKAGES_FILE), `${JSON.stringify({ version: 1, packages }, null, 2)}\n`, {
    mode: 0o600,
  });
}
