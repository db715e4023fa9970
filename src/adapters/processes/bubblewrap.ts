// Owns: what a program sees of the machine inside bubblewrap.
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { lstat, mkdir, rename } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { systemRandom } from '../../kernel/index.ts';
import { findProgram, pathFolders } from './workspace-programs.ts';

/** A working bubblewrap. */
export interface Bubblewrap {
  readonly program: string;
  /** Extra options that this version supports. */
  readonly extra: readonly string[];
}

/** Private folders inside the sandbox. */
export const SANDBOX_HOME = '/tmp/.home';
export const SANDBOX_TEMPORARY = '/tmp';

export interface SandboxRequest {
  /** The real path of the program. */
  readonly program: string;
  /** The real path of the workspace. */
  readonly workspace: string;
  readonly cwd: string;
  readonly network: boolean;
  /** Folders to hide in addition to homes. */
  readonly hidden: readonly string[];
}

const ALWAYS = [
  '--unshare-user',
  '--unshare-pid',
  '--unshare-ipc',
  '--unshare-uts',
  '--unshare-cgroup-try',
  '--die-with-parent',
  '--new-session',
  '--cap-drop',
  'ALL',
  '--ro-bind',
  '/',
  '/',
  '--dev',
  '/dev',
  '--proc',
  '/proc',
  '--tmpfs',
  '/tmp',
];
/** Always hidden: homes, and the sockets of services. */
const HIDDEN = ['/home', '/root', '/run'];
/** Parts of /run that programs need: name resolution and, on some systems, the programs themselves. */
const NEEDED = ['/run/systemd/resolve', '/run/current-system'];
/** Folders in a home that hold only installed programs, which shims on the PATH lead to. */
const INSTALLS = '.pyenv .rbenv .nodenv .asdf .nvm .volta .rustup .bun .deno .sdkman .local/share/mise'.split(
  ' ',
);
/** Deeper in a home than this, the folder around a `bin` is an installed program, not personal data. */
const MAX_PERSONAL_DEPTH = 2;

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
  let problem = '';
  for (const extra of [['--disable-userns'], []]) {
    const args = [...ALWAYS, ...extra, '--unshare-net', '--', findProgram('true', folders) ?? 'true'];
    const { status, stderr, error } = spawnSync(program, args, {
      env: {},
      encoding: 'utf8',
      timeout: 10_000,
    });
    if (status === 0) return { program, extra };
    problem = (error?.message ?? stderr).trim().split('\n')[0] ?? '';
  }
  return `bubblewrap does not work on this machine (${problem})`;
}

/** The bubblewrap arguments before the program's own. */
export function sandboxArguments({ extra }: Bubblewrap, request: SandboxRequest): readonly string[] {
  const { workspace } = request;
  const homes = existing([...HIDDEN, homedir()]).filter((folder) => folder !== '/' && folder !== workspace);
  const inside = existing(request.hidden).filter((folder) => isBelow(workspace, folder));
  const around = existing(request.hidden).filter((folder) => !isBelow(workspace, folder));
  return [
    ...ALWAYS,
    ...extra,
    ...(request.network ? [] : ['--unshare-net']),
    ...[...homes, ...around].flatMap((folder) => ['--tmpfs', folder]),
    ...[...NEEDED, ...installsBelow(homes, request.program)].flatMap((folder) => [
      '--ro-bind-try',
      folder,
      folder,
    ]),
    '--bind',
    workspace,
    workspace,
    ...guards(workspace),
    ...inside.flatMap((folder) => ['--tmpfs', folder, '--remount-ro', folder]),
    '--dir',
    SANDBOX_HOME,
    '--chdir',
    request.cwd,
    '--',
  ];
}

/** Program folders inside a hidden home, with the installation around them. */
function installsBelow(homes: readonly string[], program: string): readonly string[] {
  const known = existing(INSTALLS.map((name) => join(homedir(), name)));
  const folders = existing([...pathFolders(), dirname(program)]).flatMap((folder) => {
    if (known.some((install) => isBelow(install, folder))) return [];
    const home = homes.find((one) => isBelow(one, folder));
    if (home === undefined) return [];
    const around = dirname(folder);
    const depth = relative(home, around).split(sep).length;
    return [basename(folder) === 'bin' && depth > MAX_PERSONAL_DEPTH ? around : folder];
  });
  return [...known.filter((folder) => homes.some((home) => isBelow(home, folder))), ...folders];
}

/**
 * Keeps guarded files read-only. A folder that contains guarded files is also bound to itself, because a bound folder cannot be
 * renamed and replaced.
 */
function guards(workspace: string): readonly string[] {
  const oka = join(workspace, '.oka');
  const git = join(workspace, '.git');
  const fixed = (path: string): readonly string[] => (isPlain(path) ? ['--ro-bind', path, path] : []);
  const tools = join(oka, 'tools');
  return [
    ...(isPlain(oka) ? ['--tmpfs', oka, ...fixed(tools), '--remount-ro', oka] : []),
    ...(isFolder(git) ? ['--bind', git, git] : fixed(git)),
    ...(isFolder(git)
      ? ['hooks', 'config', 'config.worktree'].flatMap((name) => fixed(join(git, name)))
      : []),
    ...guardedNames(workspace).flatMap((name) => fixed(join(workspace, name))),
  ];
}

/** Files at the workspace root that only people change, in any case. */
function guardedNames(workspace: string): readonly string[] {
  return readdirSync(workspace).filter((name) => /^(policy\.md|\.mcp\.json)$/i.test(name));
}

function existing(folders: readonly string[]): readonly string[] {
  return [...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder)))];
}

function isBelow(folder: string, path: string): boolean {
  return path.startsWith(folder + sep);
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}

/** True for an existing path that is no link. */
function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}

/** Files that only people may create in a workspace. An absent file cannot be bound, so it is checked afterwards. */
const GUARDED = ['.oka', '.git', 'POLICY.md', '.mcp.json', '.git/commondir', '.git/config.worktree'];

/** Records which guarded names are absent before a program runs. The returned function moves aside what the program created. */
export async function watchGuardedNames(workspace: string): Promise<() => Promise<readonly string[]>> {
  if (await exists(join(workspace, '.git/HEAD')))
    await mkdir(join(workspace, '.git/hooks'), { recursive: true });
  const absent: string[] = [];
  for (const name of GUARDED) if (!(await exists(join(workspace, name)))) absent.push(name);
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
