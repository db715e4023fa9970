// Owns: what a program sees of the machine inside bubblewrap.
import { existsSync, lstatSync, readdirSync } from 'node:fs';
import { lstat, rename } from 'node:fs/promises';
import { join } from 'node:path';
import { isBelow } from '../../disk/index.ts';
import { systemRandom } from '../../kernel/index.ts';
import { existing, refuseWideFolders, visibleFolders } from './visible-folders.ts';
import { findProgram } from './workspace-programs.ts';

/** A working bubblewrap. */
export interface Bubblewrap {
  readonly program: string;
  readonly version: string;
  /** Extra options that this version supports. */
  readonly extra: readonly string[];
  /** Whether this version can limit the size of a private folder. */
  readonly sizes: boolean;
}

/** Private folders inside the sandbox. */
export const SANDBOX_HOME = '/tmp/.home';
export const SANDBOX_TEMPORARY = '/tmp';

export interface SandboxView {
  /** The program as it is started, and its real path. */
  readonly programs: readonly string[];
  /** The real path of the workspace. */
  readonly workspace: string;
  /** What the program sees in place of the workspace, mounted by root of a namespace of its own. */
  readonly source?: string;
  readonly cwd: string;
  /** True shares the machine's network. */
  readonly network: boolean;
  /** Folders to hide. */
  readonly hidden: readonly string[];
  /** Folders that can be read in addition to those of the system. */
  readonly read: readonly string[];
  /** Folders outside the workspace that can be changed. */
  readonly write: readonly string[];
  readonly workspaceIsWritable: boolean;
  /** Arguments that protect repositories. */
  readonly guards: readonly string[];
  /** Files below `.oka` that the definition of the program names. */
  readonly shown: readonly string[];
  /** The size of each private folder. */
  readonly temporaryMb: number;
}

export const NAMESPACES = ['user', 'pid', 'ipc', 'uts', 'cgroup', 'mount'] as const;

const ALWAYS = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--hostname',
  'sandbox',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
];

/** What a program sees of /proc besides processes. The kernel shows root more than others, also without capabilities. */
const PROC_ENTRIES = new Set(
  `self thread-self mounts net sys buddyinfo cgroups consoles cpuinfo crypto devices diskstats dma execdomains filesystems
  interrupts ioports loadavg locks meminfo misc modules partitions pressure softirqs stat swaps sysvipc uptime version vmstat
  zoneinfo`.split(/\s+/),
);

/** /proc without anything to write, as kernel settings belong to root, whom the user namespace maps to root. */
function kernelFolders(): readonly string[] {
  const covered = readdirSync('/proc', { withFileTypes: true })
    .filter(({ name }) => !/^\d+$/.test(name) && !PROC_ENTRIES.has(name))
    .flatMap((entry) => {
      const path = join('/proc', entry.name);
      return entry.isDirectory() ? ['--tmpfs', path, '--remount-ro', path] : ['--ro-bind', '/dev/null', path];
    });
  return ['--dev', '/dev', '--proc', '/proc', ...covered, '--remount-ro', '/proc'];
}

/** The private folders. What is in them is in memory. */
function privateFolders(sizes: boolean, megabytes: number): readonly string[] {
  const size = sizes ? ['--size', String(megabytes * 1_024 * 1_024)] : [];
  return [
    ...[...size, '--tmpfs', '/dev/shm', '--remount-ro', '/dev'],
    ...[...size, '--tmpfs', '/tmp', '--symlink', '../tmp', '/var/tmp'],
  ];
}

/** What versions support, newest first. */
const VERSIONS = [
  { extra: ['--disable-userns'], sizes: true },
  { extra: [], sizes: true },
  { extra: [], sizes: false },
] as const;

const probed = new Map<string, Bubblewrap | string>();

/** Finds a working bubblewrap and caches the result; returns the reason if there is none. */
export function findBubblewrap(folders: readonly string[]): Bubblewrap | string {
  const program = findProgram('bwrap', folders);
  if (program === undefined) return 'bubblewrap (bwrap) is not installed';
  const known = probed.get(program) ?? probe(program, folders);
  probed.set(program, known);
  return known;
}

function probe(program: string, folders: readonly string[]): Bubblewrap | string {
  // Loaded lazily and synchronously: the sandbox is known before the first run.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  const options = { env: {}, encoding: 'utf8', timeout: 10_000 } as const;
  const inside = findProgram('true', folders) ?? 'true';
  let problem = '';
  for (const { extra, sizes } of VERSIONS) {
    const view = [...kernelFolders(), ...privateFolders(sizes, 1)];
    const args = [...ALWAYS, ...extra, '--unshare-net', ...view, '--ro-bind', '/', '/', '--', inside];
    const { status, stderr, error } = spawnSync(program, args, options);
    if (status === 0) {
      const { stdout } = spawnSync(program, ['--version'], options);
      return { program, extra, sizes, version: /\d+(\.\d+)+/.exec(stdout)?.[0] ?? 'unknown' };
    }
    problem = (error?.message ?? stderr).trim().split('\n')[0] ?? '';
  }
  return `bubblewrap does not work on this machine (${problem})`;
}

/** The bubblewrap arguments before the program's own. */
export function sandboxArguments({ extra, sizes }: Bubblewrap, view: SandboxView): readonly string[] {
  const { workspace, workspaceIsWritable } = view;
  refuseWideFolders([...view.read, ...view.write], view.programs[0] ?? '');
  const visible = visibleFolders(view.programs, view.read);
  const write = existing(view.write);
  const inside = existing(view.hidden).filter((folder) => isBelow(workspace, folder));
  const around = existing(view.hidden).filter(
    (folder) =>
      !isBelow(workspace, folder) &&
      [...visible, ...write].some((path) => path === folder || isBelow(path, folder)),
  );
  return [
    ...ALWAYS,
    ...extra,
    ...(view.network ? [] : ['--unshare-net']),
    ...kernelFolders(),
    ...privateFolders(sizes, view.temporaryMb),
    ...visible.flatMap((path) => ['--ro-bind-try', path, path]),
    ...write.flatMap((path) => ['--bind', path, path]),
    ...around.flatMap((folder) => ['--tmpfs', folder]),
    ...(view.source === undefined ? [] : ownIds()),
    ...[workspaceIsWritable ? '--bind' : '--ro-bind', view.source ?? workspace, workspace],
    ...view.guards,
    ...ownFiles(workspace, view.shown),
    ...inside.flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]),
    '--dir',
    SANDBOX_HOME,
    // What is not bound above is in memory without a limit. Nothing outside the private folders may be mounted after this.
    ...[...around, '/'].flatMap((folder) => ['--remount-ro', folder]),
    '--chdir',
    view.cwd,
  ];
}

/** The program keeps the ids of this user. */
function ownIds(): readonly string[] {
  return ['--uid', String(process.getuid?.() ?? 0), '--gid', String(process.getgid?.() ?? 0)];
}

/** Hides `.oka` except for installed tools and named files, and keeps the files that only people change read-only. */
function ownFiles(workspace: string, shown: readonly string[]): readonly string[] {
  const oka = join(workspace, '.oka');
  const fixed = (path: string): readonly string[] => (isPlain(path) ? ['--ro-bind', path, path] : []);
  const guarded = readdirSync(workspace).filter((name) => /^(policy\.md|\.mcp\.json)$/i.test(name));
  return [
    ...(isPlain(oka)
      ? ['--tmpfs', oka, ...[join(oka, 'tools'), ...shown].flatMap(fixed), '--remount-ro', oka]
      : []),
    ...guarded.flatMap((name) => fixed(join(workspace, name))),
  ];
}

/** True for an existing path that is no link. */
function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}

/** Files that only people may create in a workspace. An absent file cannot be bound, so it is checked afterwards. */
const GUARDED = ['.oka', 'POLICY.md', '.mcp.json', '.git/commondir', '.git/config.worktree'];

/** Records which guarded names are absent before a program runs. The returned function moves aside what the program created. */
export function watchGuardedNames(workspace: string): () => Promise<readonly string[]> {
  const absent = GUARDED.filter((name) => !existsSync(join(workspace, name)));
  return async () => {
    const moved: string[] = [];
    for (const name of absent) {
      const path = join(workspace, name);
      if (!(await exists(path))) continue;
      const aside = `${name}.refused-${systemRandom.hex(4)}`;
      await rename(path, join(workspace, aside));
      moved.push(`only people may create ${name}, so what the program put there was moved to ${aside}`);
    }
    return moved;
  };
}

async function exists(path: string): Promise<boolean> {
  try {
    await lstat(path);
    return true;
  } catch {
    return false;
  }
}
