import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import type {
  EnvironmentErrorCode,
  InstalledPackage,
  InstallOrder,
  LockedPackage,
} from '../../tools/index.ts';
import { type InstallWork, offeredBins, requireSuccess } from './machine.ts';
import { linkProgram, makeToolFolder, replaceLink, type ToolPlaces, writeRecord } from './tool-folders.ts';

/** An entry of npm's lock file. */
interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
}

/** Installs a Node package with its dependencies into its own folder, then links it. */
export async function installNodePackage(order: InstallOrder, work: InstallWork): Promise<InstalledPackage> {
  const folder = join(work.staging, 'package');
  await runNpm(order, folder, work);
  const installed = describe(order, folder, work);
  writeRecord(folder, [installed]);
  const place = installFolderOf(installed, work.places);
  makeToolFolder(work.places, work.places.nodePackages);
  // The existing folder is an install that lost its links, or one to replace.
  if (existsSync(place)) renameSync(place, join(work.staging, 'earlier'));
  renameSync(folder, place);
  linkNodePackage(installed, work);
  return installed;
}

/** Links an installed package; returns true if a link was missing. */
export function linkNodePackage(
  installed: InstalledPackage,
  work: Pick<InstallWork, 'places' | 'staging'>,
): boolean {
  const { places, staging } = work;
  const place = installFolderOf(installed, places);
  let changed = false;
  for (const bin of installed.bins) {
    const program = join(place, 'node_modules', '.bin', bin);
    const folder = makeToolFolder(places, places.nodeBin);
    changed = replaceLink(join(folder, bin), relative(folder, program), staging) || changed;
    changed = linkProgram(places, program, staging) || changed;
  }
  // Last, because this link marks the package as installed.
  const name = join(places.nodeModules, installed.name);
  const parent = makeToolFolder(places, join(name, '..'));
  const target = relative(parent, join(place, 'node_modules', installed.name));
  return replaceLink(name, target, staging) || changed;
}

/** The folder of an installed package. */
export function installFolderOf({ name, version }: LockedPackage, places: ToolPlaces): string {
  return join(places.nodePackages, `${name.replace('/', '+')}@${version}`);
}

async function runNpm(order: InstallOrder, folder: string, work: InstallWork): Promise<void> {
  const { machine, places, sources, limits, home } = work;
  const [npm] = machine.programs('npm');
  if (npm === undefined) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.installer_missing',
      `npm not found, so the package ${order.package} cannot be installed. Install Node.js with npm and try again.`,
      { data: { program: 'npm' } },
    );
  }
  makeToolFolder(places, folder);
  writeFileSync(join(folder, 'package.json'), '{ "private": true }\n');
  const spec = `${order.package}@${versionSpec(order)}`;
  const end = await machine.run(
    [
      npm,
      'install',
      '--prefix',
      folder,
      '--ignore-scripts',
      '--save-exact',
      '--no-audit',
      '--no-fund',
      '--no-update-notifier',
      '--loglevel=error',
      '--logs-max=0',
      '--fetch-retries=1',
      '--fetch-retry-mintimeout=500',
      '--cache',
      makeToolFolder(places, join(places.cache, 'npm')),
      ...(sources.npmRegistry === undefined ? [] : ['--registry', sources.npmRegistry]),
      '--',
      spec,
    ],
    // Newer npm versions can disable git dependencies; older ones ignore this setting.
    { cwd: folder, home, environment: { npm_config_allow_git: 'none' } },
    limits,
  );
  requireSuccess(end, `npm install ${spec}`, { ecosystem: 'node', package: order.package });
}

function versionSpec({ version, versions: { from, below } }: InstallOrder): string {
  if (version !== undefined) return version;
  const bounds = [from && `>=${from}`, below && `<${below}`].filter(Boolean);
  return bounds.length === 0 ? 'latest' : bounds.join(' ');
}

function describe(order: InstallOrder, folder: string, work: InstallWork): InstalledPackage {
  const lock = JSON.parse(readFileSync(join(folder, 'package-lock.json'), 'utf8')) as {
    packages: Readonly<Record<string, LockEntry>>;
  };
  const entries = Object.entries(lock.packages).filter(([path]) => path !== '');
  const locked = new Map<string, LockedPackage>();
  for (const [path, entry] of entries) {
    if (entry.inBundle !== true) locked.set(path, toLocked(path, entry));
  }
  const path = `node_modules/${order.package}`;
  const own = locked.get(path);
  if (own === undefined) throw unverified(order.package);
  const bins = Object.keys(lock.packages[path]?.bin ?? {});
  const dependencies = [...locked].filter(([at]) => at !== path).map(([, one]) => one);
  return {
    ecosystem: 'node',
    ...own,
    ...offeredBins(bins, order.commands, work.machine),
    dependencies: dependencies.sort((a, b) => (`${a.name}@${a.version}` < `${b.name}@${b.version}` ? -1 : 1)),
  };
}

/** A package whose content was verified against a hash; anything else is rejected. */
function toLocked(path: string, { version, integrity, resolved, link }: LockEntry): LockedPackage {
  const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length);
  const fromRegistry = resolved === undefined || /^https?:\/\//.test(resolved);
  if (version === undefined || integrity === undefined || link === true || !fromRegistry)
    throw unverified(name);
  return { name, version, integrity };
}

function unverified(name: string): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.unverified',
    `The registry provides no hash for ${name}, so it cannot be verified; nothing was installed. Use another registry or package.`,
    { data: { package: name } },
  );
}
