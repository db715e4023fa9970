// Owns: where programs of a simulation start: their drafts begin with what earlier steps left, which is only in memory.
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
import type { Files } from '../../tools/index.ts';

/** The files as a simulation would leave them. */
export interface SimulatedFiles extends Pick<Files, 'state' | 'read'> {
  /** Every path at which they may differ from the workspace, sorted: a folder comes before what is in it. */
  changedPaths(): readonly string[];
}

/** Also the metadata of repositories, which git may have changed in the simulation. */
export const ALL = { repository: true } as const;

/** The folder of a draft that a program starts with. */
interface DraftStart {
  /** The upper layer of the draft, or its copy of the workspace. */
  readonly written: string;
  readonly workspace: string;
  /** Makes a layer hide what the workspace has at these paths. */
  readonly hide: (paths: readonly string[]) => Promise<void>;
}

/** Writes what a simulation changed into a draft. */
export async function putSimulated(
  files: SimulatedFiles,
  { written, workspace, hide }: DraftStart,
): Promise<void> {
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
  await hide(hidden);
  for (const [folder, mode] of [...folders].reverse()) chmodSync(join(written, folder), mode);
}

/** Whether the workspace has a path, not through a link. */
export function isIn(workspace: string, path: string): boolean {
  try {
    const folder = join(workspace, dirname(path));
    return realpathSync.native(folder) === folder && lstatSync(join(workspace, path)) !== undefined;
  } catch {
    return false;
  }
}
