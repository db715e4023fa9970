// Owns: which folder is the workspace of a command, and what the paths in its arguments mean there.
import { lstatSync, realpathSync, type Stats } from 'node:fs';
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path';
import { okaHome, userHome } from '../config/index.ts';

interface UserFolders {
  readonly home?: string;
  readonly oka?: string;
}

/**
 * The nearest folder with a workspace, starting with `folder`. Like git, the search stays on one file system and skips what
 * belongs to another user. It ends below the home folder, so that a workspace there does not cover everything in it.
 */
export function findWorkspace(folder: string, user: UserFolders = {}): string | undefined {
  const { home = userHome(), oka = okaHome() } = user;
  const start = realPath(folder);
  const isUserFolder = (directory: string): boolean => realPath(directory) === realPath(oka);
  const own = join(folder, '.oka');
  // A link counts here, because it is reported when the workspace is opened.
  if (statOf(own) !== undefined && !isUserFolder(own)) return folder;
  const device = statOf(start)?.dev;
  for (let place = start; dirname(place) !== place; ) {
    place = dirname(place);
    if (place === realPath(home) || statOf(place)?.dev !== device) return undefined;
    const directory = join(place, '.oka');
    if (isOwnFolder(directory) && !isUserFolder(directory)) return place;
  }
  return undefined;
}

/** Parses a path in the arguments: relative to the current folder, where the workspace may be a folder above. */
export function pathArgument(path: string): string {
  const folder = process.cwd();
  const workspace = findWorkspace(folder) ?? folder;
  if (workspace === folder || isAbsolute(path)) return path;
  return relative(workspace, resolve(folder, path)) || '.';
}

/** Parses a graph in the arguments: a path, or the id of a graph of the workspace. */
export function graphArgument(graph: string): string {
  const isPath = /[/\\]|\.json$/.test(graph);
  const isFileHere = ['', '.json'].some((ending) => statOf(resolve(graph + ending))?.isFile());
  return isPath || isFileHere ? pathArgument(graph) : graph;
}

/** Parses a node of the context tree in the arguments: a path, or a prefix of its id. */
export function nodeArgument(node: string): string {
  const isId = /^[0-9a-f]{4,64}$/.test(node) && statOf(resolve(node)) === undefined;
  if (isId || !isAbsolute(node)) return isId ? node : pathArgument(node);
  const folder = process.cwd();
  // The workspace and the path may be reached through different links.
  const inside = relative(
    realPath(findWorkspace(folder) ?? folder),
    join(realPath(dirname(node)), basename(node)),
  );
  return inside === '..' || inside.startsWith('../') ? node : inside || '.';
}

function isOwnFolder(path: string): boolean {
  const found = statOf(path);
  return found?.isDirectory() === true && (process.getuid === undefined || found.uid === process.getuid());
}

function statOf(path: string): Stats | undefined {
  try {
    return lstatSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function realPath(path: string): string {
  try {
    return realpathSync.native(path);
  } catch {
    return resolve(path);
  }
}
