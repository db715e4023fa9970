// Owns: everything below `.oka/tools`, but in `bin` only its own links. Does not own: whether something may be installed.
// I1 A linked folder is complete: folders are filled under another name and renamed atomically.
// I2 An unlinked folder is a leftover of an interrupted install; the next install removes it.
// I3 At most one install runs per workspace.
// I4 Only what the record in the user's folder names counts as installed: a clone may contain anything here.
import { existsSync, lstatSync, mkdtempSync, readlinkSync, realpathSync, rmSync } from 'node:fs';
import { basename, isAbsolute, join } from 'node:path';
import { type Clock, OkaError } from '../../kernel/index.ts';
import type { Leases } from '../../ledger/index.ts';
import {
  canonicalPackage,
  type EnvironmentErrorCode,
  type InstalledPackage,
  type Installer,
  type InstallOrder,
  type InstallRecord,
  isWithin,
} from '../../tools/index.ts';
import { InstallLock } from './install-lock.ts';
import { installFolderOf, installNodePackage, linkNodePackage } from './install-node-package.ts';
import { linkPrograms, makePythonGeneration } from './install-python-package.ts';
import { entries, InstalledFiles } from './installed-files.ts';
import { type InstallSources, type InstallWork, Machine } from './machine.ts';
import {
  isOwnLink,
  makeToolFolder,
  PACKAGES_FILE,
  readRecord,
  type ToolPlaces,
  toolPlaces,
} from './tool-folders.ts';

const COMMAND_TIME_MS = 600_000;

export interface WorkspaceInstallerOptions {
  readonly workspace: string;
  /** The user's environment; only the PATH and network settings are used. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly sources?: InstallSources | undefined;
  /** The record of what was installed, in the user's folder. */
  readonly record: InstallRecord;
  readonly leases: Leases;
  /** This process, as named in leases. */
  readonly owner: string;
  readonly clock: Clock;
  /** The time limit of one npm or pip call. */
  readonly timeLimitMs?: number;
}

/** Installs with npm and pip into `.oka/tools` of a workspace. */
export class WorkspaceInstaller implements Installer {
  readonly #places: ToolPlaces;
  readonly #installed: InstalledFiles;
  readonly #machine: Machine;
  readonly #sources: InstallSources;
  readonly #lock: InstallLock;
  readonly #clock: Clock;
  readonly #timeLimitMs: number;

  constructor(options: WorkspaceInstallerOptions) {
    const workspace = realpathSync.native(options.workspace);
    const { clock, timeLimitMs = COMMAND_TIME_MS, sources = {} } = options;
    this.#places = toolPlaces(workspace);
    this.#installed = new InstalledFiles(this.#places, options.record);
    this.#machine = new Machine(workspace, options.environment);
    this.#sources = checkSources(sources);
    this.#lock = new InstallLock({ ...options, workspace, maxMs: 6 * timeLimitMs });
    this.#clock = clock;
    this.#timeLimitMs = timeLimitMs;
  }

  install(
    order: InstallOrder,
    signal: AbortSignal,
  ): Promise<{ readonly installed: InstalledPackage; readonly fresh: boolean }> {
    return this.#work(signal, (work) =>
      order.ecosystem === 'node' ? this.#installNode(order, work) : this.#installPython(order, work),
    );
  }

  remove(asked: Pick<InstallOrder, 'ecosystem' | 'package'>, signal: AbortSignal): Promise<boolean> {
    const name = canonicalPackage(asked.ecosystem, asked.package);
    return this.#work(signal, async (work) => {
      const existing = this.#find(asked.ecosystem, name);
      if (existing === undefined) return false;
      if (asked.ecosystem === 'node') {
        rmSync(join(this.#places.nodeModules, name), { force: true });
        rmSync(installFolderOf(existing, this.#places), { recursive: true, force: true, maxRetries: 3 });
      } else {
        const others = this.#python().filter((one) => one.name !== name);
        if (others.length === 0) rmSync(this.#places.python, { force: true });
        else this.#recordPython(await makePythonGeneration(others.map(sameOrder), work));
      }
      this.#installed.add([]);
      this.#sweep();
      return true;
    });
  }

  async list(): Promise<readonly InstalledPackage[]> {
    return [...this.#python(), ...this.#node()];
  }

  inTurn<T>(work: () => Promise<T>, signal: AbortSignal): Promise<T> {
    return this.#lock.run(work, signal);
  }

  async #installNode(order: InstallOrder, work: InstallWork) {
    const existing = this.#find('node', order.package);
    if (existing && matches(existing, order) && this.#installed.has(...this.#nodeTargets(existing))) {
      const fresh = linkNodePackage(existing, work);
      if (fresh) this.#recordNode(existing);
      return { installed: existing, fresh };
    }
    const installed = await installNodePackage(order, work);
    this.#recordNode(installed);
    return { installed, fresh: true };
  }

  async #installPython(order: InstallOrder, work: InstallWork) {
    const all = this.#python();
    const existing = this.#find('python', order.package);
    const programs = (existing?.bins ?? []).map((bin) => join(this.#places.python, 'bin', bin));
    const works = this.#installed.has(join(this.#places.python, 'bin', 'python'), ...programs);
    if (existing && works && matches(existing, order)) {
      const fresh = linkPrograms([existing], work);
      if (fresh) this.#installed.add(existing.bins.map((bin) => join(this.#places.bin, bin)));
      return { installed: existing, fresh };
    }
    const others = all.filter((one) => one.name !== order.package);
    const installed = await makePythonGeneration([...others.map(sameOrder), order], work);
    this.#recordPython(installed);
    return { installed: installed.at(-1) as InstalledPackage, fresh: true };
  }

  #recordNode(installed: InstalledPackage): void {
    const { bin, nodeBin } = this.#places;
    const links = installed.bins.flatMap((name) => [join(bin, name), join(nodeBin, name)]);
    this.#installed.add([...this.#nodeTargets(installed), ...links]);
    this.#installed.removeOthers();
  }

  #recordPython(installed: readonly InstalledPackage[]): void {
    const { bin, python } = this.#places;
    const links = installed.flatMap(({ bins }) => bins).map((name) => join(bin, name));
    this.#installed.add([
      join(python, PACKAGES_FILE),
      ...entries(join(realpathSync.native(python), 'bin')).map((path) => join(python, 'bin', basename(path))),
      ...links,
    ]);
    this.#installed.removeOthers();
  }

  /** The files of a Node package that are recorded, besides the links to its programs. */
  #nodeTargets(installed: InstalledPackage): readonly string[] {
    const place = installFolderOf(installed, this.#places);
    const programs = installed.bins.map((bin) => join(place, 'node_modules', '.bin', bin));
    return [
      join(place, PACKAGES_FILE),
      join(place, 'node_modules', installed.name, 'package.json'),
      ...programs,
    ];
  }

  /** Runs an action under the lock, after cleaning up leftovers, with its own staging folder. */
  #work<T>(signal: AbortSignal, act: (work: InstallWork) => Promise<T>): Promise<T> {
    return this.#lock.run(async () => {
      const places = this.#places;
      const home = makeToolFolder(places, join(places.cache, 'home'));
      this.#sweep();
      const staging = mkdtempSync(join(makeToolFolder(places, places.staging), 'work-'));
      const limits = { clock: this.#clock, timeLimitMs: this.#timeLimitMs, signal };
      try {
        return await act({ places, machine: this.#machine, sources: this.#sources, limits, staging, home });
      } finally {
        rmSync(staging, { recursive: true, force: true, maxRetries: 3 });
      }
    }, signal);
  }

  /** Removes unlinked folders: leftovers of interrupted installs, and replaced ones. */
  #sweep(): void {
    const { staging, generations, nodePackages, python } = this.#places;
    const active = linkTarget(python)?.split('/').at(-1);
    const named = new Set(this.#node().map((one) => installFolderOf(one, this.#places)));
    for (const folder of [
      ...entries(staging),
      ...entries(generations).filter((one) => !one.endsWith(`/${active}`)),
      ...entries(nodePackages).filter((one) => !named.has(one)),
    ])
      rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
    removeDangling(this.#places);
  }

  #find(ecosystem: string, name: string): InstalledPackage | undefined {
    return (ecosystem === 'node' ? this.#node() : this.#python()).find((one) => one.name === name);
  }

  #python(): readonly InstalledPackage[] {
    const { python } = this.#places;
    return this.#installed.has(join(python, PACKAGES_FILE)) ? readRecord(python) : [];
  }

  #node(): readonly InstalledPackage[] {
    return this.#installed.nodeLinks().flatMap((link) => {
      const folder = this.#installed.packageOf(link);
      return folder === undefined ? [] : readRecord(folder).slice(0, 1);
    });
  }
}

function matches({ version }: InstalledPackage, order: InstallOrder): boolean {
  if (order.version !== undefined) return version === order.version;
  const { from, below } = order.versions;
  return (from === undefined && below === undefined) || isWithin(version, order.versions);
}

/** The order that keeps an installed package unchanged. */
function sameOrder(existing: InstalledPackage) {
  const { ecosystem, name, version, bins } = existing;
  return { ecosystem, package: name, version, versions: {}, commands: bins };
}

function removeDangling(places: ToolPlaces): void {
  for (const link of [...entries(places.bin).filter(isOwnLink), ...entries(places.nodeBin)])
    if (isLink(link) && !existsSync(link)) rmSync(link, { force: true });
}

function isLink(path: string): boolean {
  return lstatSync(path).isSymbolicLink();
}

function linkTarget(path: string): string | undefined {
  return lstatSync(path, { throwIfNoEntry: false })?.isSymbolicLink() ? readlinkSync(path) : undefined;
}

function checkSources(sources: InstallSources): InstallSources {
  const { npmRegistry, pipIndex, wheelFolder } = sources;
  for (const [what, address] of Object.entries({ npmRegistry, pipIndex }))
    if (address !== undefined && !/^https?:\/\/[^\s/]/.test(address))
      throw invalidSource(what, address, 'is not an http or https address');
  if (wheelFolder !== undefined && !isAbsolute(wheelFolder))
    throw invalidSource('wheelFolder', wheelFolder, 'is not an absolute path');
  return sources;
}

function invalidSource(what: string, value: string, why: string): OkaError<EnvironmentErrorCode> {
  return new OkaError(
    'environment.invalid_source',
    `${what} ${JSON.stringify(value)} ${why}. Fix it in your own configuration.`,
    { data: { what } },
  );
}
