// Owns: drafts of programs in a simulation: they start from what earlier simulated steps left, which is only in memory.
// I1 Only the folder of the draft is written: a path in it never leads through a link.
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  realpathSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import type { DraftChange, Files } from '../../tools/index.ts';
import { isSame, stateOf } from './draft-changes.ts';

/** The files as a simulation would leave them. */
export interface SimulatedFiles extends Pick<Files, 'state' | 'read'> {
  /** Every path at which they may differ from the workspace, sorted: a folder comes before what is in it. */
  changedPaths(): readonly string[];
}

/** Also the metadata of repositories, which git may have changed in the simulation. */
const ALL = { repository: true } as const;

/**
 * Writes what a simulation changed into `written`, the upper layer of a draft or its copy of the workspace. Returns the paths
 * that a layer has to hide.
 */
export async function putSimulated(
  files: SimulatedFiles,
  { written, workspace }: { readonly written: string; readonly workspace: string },
): Promise<readonly string[]> {
  const folders = new Map<string, number>();
  const hidden: string[] = [];
  /** Makes a folder with those above it; false if there is none in the simulation. */
  const open = async (folder: string): Promise<boolean> => {
    if (folder === '.' || folders.has(folder)) return true;
    const state = (await open(dirname(folder))) ? await files.state(folder, ALL) : undefined;
    if (state?.kind !== 'folder') return false;
    const path = join(written, folder);
    if (lstatSync(path, { throwIfNoEntry: false })?.isDirectory()) chmodSync(path, state.mode | 0o700);
    else {
      rmSync(path, { force: true });
      mkdirSync(path, { mode: 0o700 });
    }
    folders.set(folder, state.mode);
    return true;
  };
  for (const path of files.changedPaths()) {
    if (!(await open(dirname(path)))) continue;
    const state = await files.state(path, ALL);
    const file = join(written, path);
    if (state?.kind === 'folder') {
      await open(path);
      continue;
    }
    rmSync(file, { recursive: true, force: true });
    if (state === undefined && isIn(workspace, path)) hidden.push(path);
    if (state?.kind === 'link') symlinkSync(state.target, file);
    if (state?.kind !== 'file') continue;
    writeFileSync(file, (await files.read(path, ALL)).content, { mode: 0o600 });
    if (state.modifiedAt > 0) utimesSync(file, state.modifiedAt / 1_000, state.modifiedAt / 1_000);
    chmodSync(file, state.mode);
  }
  for (const [folder, mode] of [...folders].reverse()) chmodSync(join(written, folder), mode);
  return hidden;
}

/** Whether the workspace has a path, not through a link. */
function isIn(workspace: string, path: string): boolean {
  try {
    const folder = join(workspace, dirname(path));
    return realpathSync(folder) === folder && lstatSync(join(workspace, path)) !== undefined;
  } catch {
    return false;
  }
}

/** What a program did, compared with the simulation. `changes` are compared with the workspace. */
export async function changesInSimulation(
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
