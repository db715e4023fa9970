// Owns: what a sandboxed program can read besides the workspace: system folders and installed programs, no personal data.
import { existsSync, realpathSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { accountHome, isBelow, userHome } from '../../disk/index.ts';
import { pathFolders, processError } from './workspace-programs.ts';

/** Programs and libraries of the system. */
const SYSTEM = [
  '/usr',
  '/bin',
  '/sbin',
  '/lib',
  '/lib32',
  '/lib64',
  '/libx32',
  '/opt',
  '/nix',
  '/gnu',
  '/snap',
  '/run/systemd/resolve',
  '/run/current-system',
  '/run/opengl-driver',
  '/sys/devices/system/cpu',
  '/var/lib/ca-certificates',
  '/var/lib/texmf',
];
/** The parts of /etc that programs need: names, certificates, the loader, time and installed alternatives. No passwords, no keys. */
const SETTINGS =
  `alternatives bash.bashrc bash_completion.d ca-certificates ca-certificates.conf crypto-policies
  debian_version environment.d ethertypes fonts gai.conf gcrypt ghostscript group host.conf hosts ImageMagick-6 ImageMagick-7
  inputrc java java-11-openjdk java-17-openjdk java-21-openjdk ld.so.cache ld.so.conf ld.so.conf.d locale.alias locale.conf
  locale.gen localtime lsb-release magic mailcap maven mime.types networks nix nsswitch.conf os-release passwd perl pki profile
  protocols python3 python3.11 python3.12 python3.13 R redhat-release resolv.conf rpc services shells skel ssl static terminfo
  texmf timezone xdg`
    .split(/\s+/)
    .map((name) => `/etc/${name}`);
/** Folders in a home that hold only installed programs, which shims on the PATH lead to. */
const INSTALLS =
  '.pyenv .rbenv .nodenv .asdf .nvm .volta .rustup .bun .deno .sdkman .cargo/bin .local/share/mise .local/share/uv'.split(
    ' ',
  );
/** Deeper than this, the folder around a `bin` is an installed program, not personal data. */
const MAX_PERSONAL_DEPTH = 2;
/** Folders that are replaced in the sandbox. */
const REPLACED = ['/proc', '/sys', '/dev'];

/** The folders and files to bind read-only; none of them contains a home. */
export function visibleFolders(programs: readonly string[], more: readonly string[]): readonly string[] {
  const given = [
    ...[...SYSTEM, ...SETTINGS].filter((path) => existsSync(path)),
    ...existing(more.map(expandHome)),
  ];
  const folders = [
    ...userHomes().flatMap((home) => INSTALLS.map((name) => knownInstall(home, name))),
    ...existing(pathFolders()).map(programFolder),
    ...existing([...programs, process.execPath])
      .map(dirname)
      .filter(mayHoldPrograms)
      .map(programFolder),
  ];
  const seen = [...new Set([...given, ...folders.filter((one) => one !== undefined)])];
  const outermost = seen.filter((path) => !seen.some((folder) => isBelow(folder, path)));
  // A program whose folder is not visible is bound alone, also under the name of a link to it.
  const alone = [...programs, process.execPath, ...existing(programs)].filter(
    (path) => !outermost.some((folder) => isBelow(folder, path)),
  );
  return [...new Set([...outermost, ...alone])];
}

/** Undefined for a link that leads to something personal. */
function knownInstall(home: string, name: string): string | undefined {
  const [real] = existing([join(home, name)]);
  return real === undefined || real === join(home, name) ? real : programFolder(real);
}

/** In a home, programs also lie among personal files. */
function mayHoldPrograms(folder: string): boolean {
  return basename(folder) === 'bin' || depthInHome(folder) === undefined;
}

/** The folder of programs, with the installation around a `bin`; undefined if it holds personal files. */
function programFolder(folder: string): string | undefined {
  const around = dirname(folder);
  const depth = depthInHome(around) ?? around.split(sep).length - 1;
  if (basename(folder) === 'bin' && depth > MAX_PERSONAL_DEPTH && !containsHome(around)) return around;
  return containsHome(folder) || depthInHome(folder) === 1 ? undefined : folder;
}

/** The real homes of the user: of the environment and of the password database. */
function userHomes(): readonly string[] {
  return existing([userHome(), accountHome()].filter((home) => home !== undefined));
}

/** How deep in a home a real path is: 0 for the home itself; undefined outside homes. */
function depthInHome(path: string): number | undefined {
  const other = /^\/home\/[^/]+/.exec(path)?.[0];
  const homes = [...userHomes(), '/root', ...(other === undefined ? [] : [other])];
  const depths = homes
    .filter((home) => path === home || isBelow(home, path))
    .map((home) => relative(home, path).split(sep).filter(Boolean).length);
  return depths.length === 0 ? undefined : Math.min(...depths);
}

/** Whether a real path is a home or around one, or around a folder that the sandbox replaces. */
export function containsHome(path: string): boolean {
  const personal = [...userHomes(), '/root', '/home', ...existing([tmpdir(), '/tmp']), ...REPLACED];
  return depthInHome(path) === 0 || personal.some((one) => path === one || isBelow(path, one));
}

/** Refuses folders that a definition or the configuration names, with which nothing would be hidden. */
export function refuseWideFolders(paths: readonly string[], program: string): void {
  const wide = existing(paths.map(expandHome)).find(
    (path) => containsHome(path) || REPLACED.some((folder) => isBelow(folder, path)),
  );
  if (wide === undefined) return;
  throw processError(
    'process.start_failed',
    program,
    `"${program}" may not be given "${wide}": it is or contains a home, all temporary files, or folders of the kernel. Name the folders that the program needs, in "sandbox" of its definition or in "sandbox_read".`,
    { data: { path: wide } },
  );
}

/** Resolves `~/`. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(userHome(), path.slice(1)) : resolve('/', path);
}

/** The real paths of those that exist, as the kernel follows them: Node's own way takes `link/..` for the folder of the link. */
export function existing(folders: readonly string[]): readonly string[] {
  return [
    ...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync.native(folder))),
  ];
}
