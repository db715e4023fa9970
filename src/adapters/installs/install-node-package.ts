import { existsSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import type {
  EnvironmentErrorCode,
  InstalledPackage,
  InstallOrder,
  LockedPackage,
} from '../../tools/index.ts';
import { readRecord, writeRecord } from './install-record.ts';
import { requireSuccess } from './machine.ts';
import { replaceLink } from './replace-link.ts';
import { makeToolFolder, type ToolPlaces } from './tool-folders.ts';
import { type InstallWork, offeredBins } from './types.ts';

/** What npm wrote about one folder below node_modules. */
interface LockEntry {
  readonly version?: string;
  readonly integrity?: string;
  readonly resolved?: string;
  readonly link?: boolean;
  readonly inBundle?: boolean;
  readonly bin?: Readonly<Record<string, string>>;
}

/** Installs one Node package with all it depends on into a folder of its own, and then gives it its names. */
export async function installNodePackage(order: InstallOrder, work: InstallWork): Promise<InstalledPackage> {
  const folder = join(work.staging, 'package');
  await runNpm(order, folder, work);
  const installed = describe(order, folder, work);
  writeRecord(folder, [installed]);
  const place = placeOf(installed, work.places);
  makeToolFolder(work.places, work.places.nodePackages);
  // What stands there is a whole install that lost its names, or one that is made anew.
  if (existsSync(place)) renameSync(place, join(work.staging, 'earlier'));
  renameSync(folder, place);
  linkNodePackage(installed, work);
  return installed;
}

/** Gives an installed package its names; true when any of them was missing. */
export function linkNodePackage(
  installed: InstalledPackage,
  work: Pick<InstallWork, 'places' | 'staging'>,
): boolean {
  const { places, staging } = work;
  const place = placeOf(installed, places);
  let changed = false;
  for (const bin of installed.bins) {
    const program = join(place, 'node_modules', '.bin', bin);
    for (const folder of [places.nodeBin, places.bin]) {
      makeToolFolder(places, folder);
      changed = replaceLink(join(folder, bin), relative(folder, program), staging) || changed;
    }
  }
  // Last, because this one says that the package is installed.
  const name = join(places.nodeModules, installed.name);
  const parent = makeToolFolder(places, join(name, '..'));
  const target = relative(parent, join(place, 'node_modules', installed.name));
  return replaceLink(name, target, staging) || changed;
}

/** Where an installed package lies whole. */
export function placeOf({ name, version }: LockedPackage, places: ToolPlaces): string {
  return join(places.nodePackages, `${name.replace('/', '+')}@${version}`);
}

/** The record of a place, if there is a whole package. */
export function recordAt(place: string): InstalledPackage | undefined {
  return readRecord(place)[0];
}

async function runNpm(order: InstallOrder, folder: string, work: InstallWork): Promise<void> {
  const { machine, places, sources, limits, home } = work;
  const [npm] = machine.programs('npm');
  if (npm === undefined) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.installer_missing',
      `there is no npm on this machine, so the package ${order.package} cannot be installed; install Node.js with npm, then try again.`,
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
    // Newer versions of npm can be told to fetch nothing from git; older ones do not know the word.
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

/** A package whose content was checked against a hash; anything else is refused. */
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
    `the registry told no hash for ${name}, so what it sent cannot be checked; nothing was installed. Use another registry or another package.`,
    { data: { package: name } },
  );
}
