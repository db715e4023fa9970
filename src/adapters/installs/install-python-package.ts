import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { basename, join, relative } from 'node:path';
import { OkaError } from '../../kernel/index.ts';
import {
  canonicalPackage,
  type EnvironmentErrorCode,
  type InstalledPackage,
  type InstallOrder,
  type LockedPackage,
} from '../../tools/index.ts';
import { findPython } from './find-python.ts';
import { type InstallWork, offeredBins, requireSuccess } from './machine.ts';
import { readPipReport } from './pip-report.ts';
import { linkProgram, makeToolFolder, replaceLink, writeRecord } from './tool-folders.ts';

/**
 * Creates a new generation of the Python environment with all requested packages, and activates it atomically. Virtual
 * environments cannot be moved and pip is not atomic, so each generation is created in its final folder.
 */
export async function makePythonGeneration(
  orders: readonly InstallOrder[],
  work: InstallWork,
): Promise<readonly InstalledPackage[]> {
  const { places, staging } = work;
  const generation = mkdtempSync(join(makeToolFolder(places, places.generations), 'python-'));
  try {
    const installed = await fillGeneration(generation, orders, work);
    writeRecord(generation, installed);
    replaceLink(places.python, relative(places.root, generation), staging);
    linkPrograms(installed, work);
    return installed;
  } catch (error) {
    rmSync(generation, { recursive: true, force: true, maxRetries: 3 });
    throw error;
  }
}

/** Links the programs of Python packages; returns true if a link was missing. */
export function linkPrograms(
  installed: readonly InstalledPackage[],
  { places, staging }: Pick<InstallWork, 'places' | 'staging'>,
): boolean {
  let changed = false;
  for (const bin of installed.flatMap(({ bins }) => bins))
    changed = linkProgram(places, join(places.python, 'bin', bin), staging) || changed;
  return changed;
}

async function fillGeneration(
  generation: string,
  orders: readonly InstallOrder[],
  work: InstallWork,
): Promise<readonly InstalledPackage[]> {
  const { machine, staging, home, limits } = work;
  const about = { ecosystem: 'python', package: orders.at(-1)?.package ?? '' };
  const place = { cwd: staging, home };
  const python = await findPython(machine, place, limits);
  const venv = ['-I', '-m', 'venv', '--without-pip', generation] as const;
  const made = await machine.run([python.interpreter, ...venv], place, limits);
  requireSuccess(made, 'creating a Python environment', about);
  const ownPrograms = new Set(readdirSync(join(generation, 'bin')));
  const pip = python.pip ?? (await createPip(python.interpreter, work));
  const report = join(staging, 'report.json');
  const specs = orders.map(specOf);
  const filled = await machine.run(
    [
      pip,
      '-I',
      '-m',
      'pip',
      '--isolated',
      '--no-input',
      '--disable-pip-version-check',
      '--quiet',
      '--python',
      join(generation, 'bin', 'python'),
      '--cache-dir',
      makeToolFolder(work.places, join(work.places.cache, 'pip')),
      'install',
      '--only-binary',
      ':all:',
      ...sourceFlags(work),
      '--report',
      report,
      '--',
      ...specs,
    ],
    place,
    limits,
  );
  requireSuccess(filled, `pip install ${specs.join(' ')}`, about);
  // Wheels are only unpacked, so an unverified one has not run; the generation is discarded.
  const locked = readPipReport(readFileSync(report, 'utf8'));
  removeShadowing(generation, ownPrograms, orders, work);
  return orders.map((order) => describe(order, generation, locked));
}

/** Removes programs that would shadow the machine's own, whichever package installed them. */
function removeShadowing(
  generation: string,
  ownPrograms: ReadonlySet<string>,
  orders: readonly InstallOrder[],
  { machine }: InstallWork,
): void {
  const folder = join(generation, 'bin');
  const added = readdirSync(folder).filter((name) => !ownPrograms.has(name));
  const { bins } = offeredBins(
    added,
    orders.flatMap(({ commands }) => commands),
    machine,
  );
  for (const name of added) if (!bins.includes(name)) rmSync(join(folder, name), { force: true });
}

/** Without a recent enough pip, uses the one bundled with the interpreter. */
async function createPip(interpreter: string, work: InstallWork): Promise<string> {
  const folder = join(work.staging, 'pip');
  const place = { cwd: work.staging, home: work.home };
  const made = await work.machine.run([interpreter, '-I', '-m', 'venv', folder], place, work.limits);
  if (made.exitCode === 0) return join(folder, 'bin', 'python');
  throw new OkaError<EnvironmentErrorCode>(
    'environment.installer_missing',
    'python3 has no pip, so no Python package can be installed. Install python3-pip or python3-venv and try again.',
    { data: { program: 'pip' } },
  );
}

function sourceFlags({ sources: { pipIndex, wheelFolder } }: InstallWork): readonly string[] {
  return [
    ...(pipIndex === undefined ? [] : ['--index-url', pipIndex]),
    ...(pipIndex === undefined && wheelFolder !== undefined ? ['--no-index'] : []),
    ...(wheelFolder === undefined ? [] : ['--find-links', wheelFolder]),
  ];
}

function specOf({ package: name, version, versions: { from, below } }: InstallOrder): string {
  if (version !== undefined) return `${name}==${version}`;
  return `${name}${[from && `>=${from}`, below && `<${below}`].filter(Boolean).join(',')}`;
}

function describe(
  order: InstallOrder,
  generation: string,
  locked: readonly LockedPackage[],
): InstalledPackage {
  const own = locked.find(({ name }) => name === order.package);
  if (own === undefined) {
    throw new OkaError<EnvironmentErrorCode>(
      'environment.install_failed',
      `pip did not report an install of ${order.package}; nothing was changed. Check the spelling of the name in its index.`,
      { data: { ecosystem: 'python', package: order.package } },
    );
  }
  const exists = (bin: string): boolean => existsSync(join(generation, 'bin', bin));
  const scripts = [...scriptsOf(own, generation)].sort();
  return {
    ecosystem: 'python',
    ...own,
    bins: scripts.filter(exists),
    withheld: scripts.filter((bin) => !exists(bin)),
    dependencies: locked.filter((one) => one !== own),
  };
}

/** The programs that a package installed, from its list of files. */
function scriptsOf({ name, version }: LockedPackage, generation: string): readonly string[] {
  const library = join(generation, 'lib');
  for (const python of readdirSync(library)) {
    const packages = join(library, python, 'site-packages');
    const info = readdirSync(packages).find((entry) => {
      const [, folder, found] = /^(.+)-([^-]+)\.dist-info$/.exec(entry) ?? [];
      return folder !== undefined && canonicalPackage('python', folder) === name && found === version;
    });
    if (info === undefined) continue;
    const files = readFileSync(join(packages, info, 'RECORD'), 'utf8').split(/\r?\n/);
    return files
      .map((line) => line.replace(/,[^,]*,[^,]*$/, '').replaceAll('"', ''))
      .filter((file) => /^(?:\.\.\/)+bin\/[^/]+$/.test(file))
      .map((file) => basename(file));
  }
  return [];
}
