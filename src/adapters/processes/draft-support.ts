// Owns: which kind of draft of a workspace a program can get on this machine, found by making one.
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { findBubblewrap } from './bubblewrap.ts';
import { LAUNCHER } from './resource-limits.ts';
import { findProgram, WorkspacePrograms } from './workspace-programs.ts';

/**
 * `overlay`: a copy-on-write view of the workspace. `copy`: a copy of it. `none`: a program can reach the workspace itself,
 * because nothing confines it to a draft.
 */
export type DraftSupport =
  | {
      readonly kind: 'overlay';
      readonly why: string;
      /**
       * The words before a command that mount the folder `view` of a draft folder from its `lower`, `upper` and `work`. They enter
       * a user namespace in which the user is uid 0.
       */
      readonly enter: (draft: string) => readonly string[];
    }
  | { readonly kind: 'copy' | 'none'; readonly why: string };

export interface DraftFolders {
  /** Where drafts are kept. The file system of this folder decides, and it must not be inside the workspace. */
  readonly state: string;
  readonly workspace: string;
}

// Paths in mount options would have to be escaped, so the options name entries of the working directory.
const MOUNT =
  'cd "$1" && "$2" -t overlay -o "userxattr,lowerdir=$3,upperdir=upper,workdir=work" overlay view && shift 3 && exec "$@"';
/** Every kind of change that a file system has to be able to record: a new file, a deletion, and a replaced folder. */
const CHANGES =
  'echo new > .probe-made && rm .probe-gone && rm -r .probe-folder && mkdir .probe-folder && echo new > .probe-folder/made';
const TIMEOUT_MS = 10_000;

const probed = new Map<string, DraftSupport>();

/** Tries to make a draft in the state folder, once per process. */
export function probeDrafts({ state, workspace }: DraftFolders): DraftSupport {
  const programs = new WorkspacePrograms({ workspace, toolFolders: [] }).systemFolders();
  const key = JSON.stringify([state, workspace, programs]);
  const known = probed.get(key) ?? probe({ state, workspace }, programs);
  probed.set(key, known);
  return known;
}

function probe({ state, workspace }: DraftFolders, programs: readonly string[]): DraftSupport {
  const bubblewrap = findBubblewrap(programs);
  if (typeof bubblewrap === 'string') return { kind: 'none', why: bubblewrap };
  const copy = (why: string): DraftSupport => ({ kind: 'copy', why });
  const [unshare, mount, shell] = ['unshare', 'mount', 'sh'].map((name) => findProgram(name, programs));
  if (!unshare || !mount || !shell)
    return copy(`there is no "${!unshare ? 'unshare' : !mount ? 'mount' : 'sh'}" on the PATH`);
  const enter = (draft: string, lower = 'lower'): readonly [string, ...string[]] => [
    unshare,
    ...['--user', '--map-root-user', '--mount', '--'],
    ...[shell, '-c', MOUNT, LAUNCHER, draft, mount, lower],
  ];
  const problem = tryDraft(state, workspace, (draft) => {
    const view = join(draft, 'view');
    const system = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', view, view];
    return [
      // The workspace takes part, because it may be on a file system that cannot be a layer, or contain the state folder.
      ...enter(draft, 'sample:lower'),
      ...[bubblewrap.program, '--unshare-user', '--unshare-pid', '--unshare-net', '--cap-drop', 'ALL'],
      ...[...bubblewrap.extra, ...system, '--chdir', view, '--', shell, '-c', CHANGES],
    ];
  });
  if (problem !== undefined) return copy(`no overlay can be mounted in ${state}: ${problem}`);
  return { kind: 'overlay', why: 'overlayfs works in a user namespace', enter: (draft) => enter(draft) };
}

/** Runs the words over a small draft; returns what went wrong. */
function tryDraft(
  state: string,
  workspace: string,
  words: (draft: string) => readonly [string, ...string[]],
): string | undefined {
  let draft: string | undefined;
  try {
    mkdirSync(state, { recursive: true, mode: 0o700 });
    draft = realpathSync.native(mkdtempSync(join(state, 'draft-probe-')));
    for (const name of ['sample/.probe-folder', 'upper', 'work', 'view'])
      mkdirSync(join(draft, name), { recursive: true });
    for (const name of ['.probe-gone', '.probe-folder/old']) writeFileSync(join(draft, 'sample', name), '');
    symlinkSync(realpathSync.native(workspace), join(draft, 'lower'));
    const [program, ...args] = words(draft);
    const { spawnSync } = process.getBuiltinModule('node:child_process');
    const options = { env: {}, encoding: 'utf8', timeout: TIMEOUT_MS } as const;
    const { status, stderr, error } = spawnSync(program, args, options);
    if (status === 0 && isRecorded(join(draft, 'upper'))) return undefined;
    const said = (error?.message ?? stderr).trim().split('\n')[0];
    return said || 'changes to it are not recorded';
  } catch (error) {
    return (error as Error).message;
  } finally {
    if (draft !== undefined) removeDraft(draft);
  }
}

/** Whether the upper folder has the new file, and a mark (a device 0, 0) for the deleted one. */
function isRecorded(upper: string): boolean {
  const gone = lstatSync(join(upper, '.probe-gone'), { throwIfNoEntry: false });
  return existsSync(join(upper, '.probe-folder', 'made')) && gone?.isCharacterDevice() === true;
}

/** The kernel makes a folder in `work` that nobody may list, which would stop the removal. */
function removeDraft(draft: string): void {
  const inner = join(draft, 'work', 'work');
  if (existsSync(inner)) chmodSync(inner, 0o700);
  rmSync(draft, { recursive: true, force: true });
}
