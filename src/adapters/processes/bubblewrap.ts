// Owns: what a program sees of the machine when bubblewrap shuts it in.
import { existsSync, lstatSync, readdirSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, sep } from 'node:path';
import { findProgram, pathFolders } from './find-program.ts';

/** A sandbox that was found to work here. */
export interface Bubblewrap {
  readonly program: string;
  /** What this machine's bubblewrap takes beyond what all take. */
  readonly extra: readonly string[];
}

/** The private folders that a program finds in its sandbox. */
export const SANDBOX_HOME = '/tmp/.home';
export const SANDBOX_TEMPORARY = '/tmp';

export interface SandboxRequest {
  /** The real file of the program. */
  readonly program: string;
  /** The real folder of the workspace. */
  readonly workspace: string;
  readonly cwd: string;
  readonly network: boolean;
  /** Folders that nobody in the sandbox may look into, beside homes. */
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
/** What is hidden from everybody: homes, and the sockets of services. */
const HIDDEN = ['/home', '/root', '/run'];
/** What programs need of /run: names and, on some systems, the programs themselves. */
const NEEDED = ['/run/systemd/resolve', '/run/current-system'];
/** Folders of a home that hold nothing but installed programs: what the stand-ins on a PATH lead to. */
const INSTALLS = '.pyenv .rbenv .nodenv .asdf .nvm .volta .rustup .bun .deno .sdkman .local/share/mise'.split(
  ' ',
);
/** Deeper below a home than this, the folder around a `bin` holds an installed program and not a person's own things. */
const DEEPEST_PERSONAL = 2;

const probed = new Map<string, Bubblewrap | string>();

/** The bubblewrap of some folders if there is one that works, tried once; else why not. */
export function findBubblewrap(folders: readonly string[]): Bubblewrap | string {
  const program = findProgram('bwrap', folders);
  if (program === undefined) return 'bubblewrap (bwrap) is not installed';
  const known = probed.get(program) ?? probe(program, folders);
  probed.set(program, known);
  return known;
}

function probe(program: string, folders: readonly string[]): Bubblewrap | string {
  // Asked for only when a program is about to run, and needed at once: a sandbox is told before the first run.
  const { spawnSync } = process.getBuiltinModule('node:child_process');
  let said = '';
  for (const extra of [['--disable-userns'], []]) {
    const args = [...ALWAYS, ...extra, '--unshare-net', '--', findProgram('true', folders) ?? 'true'];
    const { status, stderr, error } = spawnSync(program, args, {
      env: {},
      encoding: 'utf8',
      timeout: 10_000,
    });
    if (status === 0) return { program, extra };
    said = (error?.message ?? stderr).trim().split('\n')[0] ?? '';
  }
  return `bubblewrap does not work on this machine (${said})`;
}

/** The words for bubblewrap that come before the program's own. */
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

/** Folders of programs below a hidden home, with what is installed around them. */
function installsBelow(homes: readonly string[], program: string): readonly string[] {
  const known = existing(INSTALLS.map((name) => join(homedir(), name)));
  const folders = existing([...pathFolders(), dirname(program)]).flatMap((folder) => {
    if (known.some((install) => isBelow(install, folder))) return [];
    const home = homes.find((one) => isBelow(one, folder));
    if (home === undefined) return [];
    const around = dirname(folder);
    const depth = relative(home, around).split(sep).length;
    return [basename(folder) === 'bin' && depth > DEEPEST_PERSONAL ? around : folder];
  });
  return [...known.filter((folder) => homes.some((home) => isBelow(home, folder))), ...folders];
}

/**
 * What guards the workspace stays as it is. A folder with something guarded in it is bound to itself as well, because a
 * folder that is bound cannot be moved away and replaced.
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

/** Files at the root of the workspace that only people change, in whatever case they are written. */
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

/** True for what is there and is no link. */
function isPlain(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() === false;
}
