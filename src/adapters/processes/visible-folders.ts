// Owns: what a sandboxed program can read besides the workspace: system folders and installed programs, no personal data.
import { existsSync, realpathSync } from 'node:fs';
import { homedir } from 'node:os';
import { basename, dirname, join, relative, resolve, sep } from 'node:path';
import { isBelow } from '../../disk/index.ts';
import { pathFolders } from './workspace-programs.ts';

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

/** The folders and files to bind read-only, outermost first. */
export function visibleFolders(program: string, more: readonly string[]): readonly string[] {
  const system = [...SYSTEM, ...SETTINGS].filter((path) => existsSync(path));
  const own = existing(more.map(expandHome));
  const covered = [...system, ...own];
  const installs = existing(INSTALLS.map((name) => join(homedir(), name)));
  const isCovered = (path: string, by: readonly string[]): boolean =>
    by.some((folder) => path === folder || isBelow(folder, path));
  const programs = existing([...pathFolders(), dirname(program), dirname(process.execPath)])
    .filter((folder) => !isCovered(folder, covered) && !isCovered(folder, installs))
    .map(installationAround);
  return [
    ...system,
    ...own,
    ...new Set([...installs.filter((path) => !isCovered(path, covered)), ...programs]),
  ];
}

function installationAround(folder: string): string {
  const around = dirname(folder);
  const home = [homedir(), '/home', '/root'].find((one) => isBelow(one, folder)) ?? '/';
  const depth = relative(home, around).split(sep).length;
  return basename(folder) === 'bin' && depth > MAX_PERSONAL_DEPTH ? around : folder;
}

/** Resolves `~/`. */
export function expandHome(path: string): string {
  return path === '~' || path.startsWith('~/') ? join(homedir(), path.slice(1)) : resolve('/', path);
}

/** The real paths of those that exist. */
export function existing(folders: readonly string[]): readonly string[] {
  return [...new Set(folders.filter((folder) => existsSync(folder)).map((folder) => realpathSync(folder)))];
}
