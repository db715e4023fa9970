// Owns: what a program did on its draft, as a comparison of what it wrote with the workspace.
// I1 What is not listed here is not applied. A path that is too long or too deep, or that is no text, is listed as special.
import { chmodSync, lstatSync, readdirSync, readlinkSync, type Stats } from 'node:fs';
import { join } from 'node:path';
import { digestOfFile } from '../../disk/index.ts';
import type { Digest } from '../../kernel/index.ts';
import type { DraftChange, PathState } from '../../tools/index.ts';
import { repositoryParts } from './repository-part.ts';
import { ALL, isIn, type SimulatedFiles } from './simulated-draft.ts';

export interface ComparedTrees {
  /** The files that the program wrote: only those, with `namesIn`, otherwise a whole copy of the workspace. */
  readonly written: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  /** When the program was started, in epoch milliseconds. */
  readonly startedAt: number;
  /** The files of a simulation, from which the program started instead of those of the workspace. */
  readonly simulated?: SimulatedFiles | undefined;
  /** The paths that these folders, which both have, contain in the view. */
  readonly namesIn?: (folders: readonly string[]) => Promise<ReadonlySet<string>>;
}

const PERMISSIONS = 0o777;
/** They let whoever runs a file act as its owner or group. */
const SPECIAL_BITS = 0o6000;
const MAX_DEPTH = 256;
const MAX_PATH_LENGTH = 2_048;

/** Something that the program wrote, and what the workspace has there. */
interface Entry {
  readonly path: string;
  readonly found: Stats;
  readonly old: Stats | undefined;
}

/** Every path that differs, sorted: a folder comes before what is in it. */
export async function changesBetween(trees: ComparedTrees): Promise<readonly DraftChange[]> {
  const { workspace, namesIn } = trees;
  const entries: Entry[] = [];
  collect(trees, '', true, entries);
  const shared = entries
    .filter(({ path, found, old }) => found.isDirectory() && old?.isDirectory() && !isUnusable(path))
    .map(({ path }) => path);
  const gone = namesIn ? await goneInView(trees, shared) : goneInCopy(trees, ['', ...shared]);
  const changes = new Map<string, DraftChange>();
  for (const entry of entries) {
    const { path, found, old } = entry;
    // What takes the place of a folder removes everything in it.
    if (old?.isDirectory() && !found.isDirectory())
      gone.push(...namesOf(join(workspace, path)).map((name) => join(path, name)));
    if (isWhiteout(found)) gone.push(path);
    else {
      const change = await compare(trees, entry);
      if (change !== undefined) changes.set(path, change);
    }
  }
  for (const path of gone)
    for (const removed of treeBelow(workspace, path))
      if (!changes.has(removed)) changes.set(removed, await removal(trees, removed));
  const { simulated } = trees;
  const found = simulated ? await changesInSimulation(changes, simulated, workspace) : [...changes.values()];
  const sorted = found.sort(({ path: a }, { path: b }) => (a < b ? -1 : 1));
  return repositoryParts(sorted, trees);
}

/** Lists what was written. `isShared`: the workspace has this folder too, not a link in its place. */
function collect(trees: ComparedTrees, folder: string, isShared: boolean, entries: Entry[]): void {
  for (const name of namesOf(join(trees.written, folder))) {
    const path = folder === '' ? name : `${folder}/${name}`;
    if (path === '.oka') continue;
    const file = join(trees.written, path);
    const found = lstatSync(file);
    const old = isShared ? lstatSync(join(trees.workspace, path), { throwIfNoEntry: false }) : undefined;
    entries.push({ path, found, old });
    if (isUnusable(path)) continue;
    if (found.isDirectory() || found.isFile()) makeReadable(file, found);
    if (found.isDirectory()) collect(trees, path, old?.isDirectory() === true, entries);
  }
}

/** What a program wrote belongs to Oka's user, who may read it whatever mode the program gave it. */
function makeReadable(path: string, found: Stats): void {
  const needed = found.isDirectory() ? 0o700 : 0o400;
  if ((found.mode & needed) !== needed) chmodSync(path, (found.mode & PERMISSIONS) | needed);
}

function isUnusable(path: string): boolean {
  return path.length > MAX_PATH_LENGTH || path.split('/').length > MAX_DEPTH || path.includes('\uFFFD');
}

/** How an overlay records that a path of the workspace was removed. */
function isWhiteout(found: Stats): boolean {
  return found.isCharacterDevice() && found.rdev === 0;
}

/** Removed names in folders that both have. An overlay marks them, unless the whole folder was removed and made again. */
async function goneInView(
  { workspace, namesIn }: ComparedTrees,
  shared: readonly string[],
): Promise<string[]> {
  if (shared.length === 0 || namesIn === undefined) return [];
  const present = await namesIn(shared);
  return shared.flatMap((folder) =>
    namesOf(join(workspace, folder))
      .map((name) => `${folder}/${name}`)
      .filter((path) => !present.has(path)),
  );
}

function goneInCopy({ written, workspace }: ComparedTrees, shared: readonly string[]): string[] {
  return shared.flatMap((folder) => {
    const left = new Set(namesOf(join(written, folder)));
    return namesOf(join(workspace, folder))
      .filter((name) => !left.has(name) && !(folder === '' && name === '.oka'))
      .map((name) => join(folder, name));
  });
}

/** The names in a folder; none for a folder that is missing or that this user cannot list. */
function namesOf(folder: string): readonly string[] {
  try {
    return readdirSync(folder);
  } catch {
    return [];
  }
}

/** A path and everything below it. */
function treeBelow(root: string, path: string): readonly string[] {
  const found = lstatSync(join(root, path), { throwIfNoEntry: false });
  if (found === undefined) return [];
  if (!found.isDirectory()) return [path];
  return [path, ...namesOf(join(root, path)).flatMap((name) => treeBelow(root, join(path, name)))];
}

async function compare(
  { written, workspace, startedAt }: ComparedTrees,
  { path, found, old }: Entry,
): Promise<DraftChange | undefined> {
  const file = join(written, path);
  const before = old && (await stateOf(join(workspace, path), old));
  const after = isUnusable(path) ? ({ kind: 'special' } as const) : await stateOf(file, found);
  const set = found.isFile() ? found.mode & SPECIAL_BITS & ~(old?.mode ?? 0) : 0;
  if (before !== undefined && isSame(before, after) && set === 0) return undefined;
  return {
    path,
    before,
    after: after.kind === 'file' || after.kind === 'folder' ? { ...after, file } : after,
    ...(set === 0 ? {} : { special: true }),
    ...(old !== undefined && changedSince(old, startedAt) ? { conflict: true } : {}),
  };
}

async function removal({ workspace, startedAt }: ComparedTrees, path: string): Promise<DraftChange> {
  const file = join(workspace, path);
  const old = lstatSync(file);
  const before = await stateOf(file, old);
  return { path, before, after: undefined, ...(changedSince(old, startedAt) ? { conflict: true } : {}) };
}

/** Folders change whenever something in them does, so only their own removal is compared. */
function changedSince(old: Stats, startedAt: number): boolean {
  return !old.isDirectory() && old.ctimeMs > startedAt;
}

async function stateOf(file: string, found: Stats): Promise<PathState> {
  const mode = found.mode & PERMISSIONS;
  if (found.isDirectory()) return { kind: 'folder', mode };
  if (found.isSymbolicLink()) return { kind: 'link', target: readlinkSync(file) };
  if (!found.isFile()) return { kind: 'special' };
  const digest = (await digestOfFile(file)) as Digest;
  return { kind: 'file', digest, bytes: found.size, mode, modifiedAt: Math.floor(found.mtimeMs) };
}

function isSame(a: PathState | undefined, b: PathState | undefined): boolean {
  if (a === undefined || b === undefined || a.kind !== b.kind) return a === b;
  if (a.kind === 'file' && b.kind === 'file') return a.digest === b.digest && a.mode === b.mode;
  if (a.kind === 'link' && b.kind === 'link') return a.target === b.target;
  return a.kind === 'folder' && b.kind === 'folder' ? a.mode === b.mode : true;
}

/** What a program did, compared with the simulation. `changes` are compared with the workspace. */
async function changesInSimulation(
  changes: ReadonlyMap<string, DraftChange>,
  simulated: SimulatedFiles,
  workspace: string,
): Promise<DraftChange[]> {
  const found = new Map(changes);
  for (const path of simulated.changedPaths()) {
    const change = changes.get(path);
    const before = await simulated.state(path, ALL);
    const after = change === undefined ? await stateInWorkspace(workspace, path) : change.after;
    if (isSame(before, after) && !change?.special) found.delete(path);
    else found.set(path, { path, before, after, ...(change?.special ? { special: true } : {}) });
  }
  return [...found.values()];
}

/** What the program left where it has what the workspace has. */
async function stateInWorkspace(workspace: string, path: string): Promise<DraftChange['after']> {
  if (!isIn(workspace, path)) return undefined;
  const file = join(workspace, path);
  const state = await stateOf(file, lstatSync(file));
  return state.kind === 'file' ? { ...state, file } : state;
}
