// Owns: the record of installed files. I1 Only files that an installer placed in this install are added to it.
import { lstatSync, readdirSync, readlinkSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { isRecorded, markFile } from '../../disk/index.ts';
import type { InstallRecord, RecordedFile } from '../../tools/index.ts';
import { isOwnLink, PACKAGES_FILE, type ToolPlaces } from './tool-folders.ts';

/** The files below `.oka/tools` that Oka installed and that are unchanged. What came with a clone is not among them. */
export class InstalledFiles {
  readonly #places: ToolPlaces;
  readonly #record: InstallRecord;

  constructor(places: ToolPlaces, record: InstallRecord) {
    this.#places = places;
    this.#record = record;
  }

  has(...paths: readonly string[]): boolean {
    const record = this.#record.read();
    return paths.every((path) => isRecorded(this.#places.root, this.#nameOf(path), record));
  }

  /** Records files that were just installed, and forgets those that are gone. What the user has in `bin` is never recorded. */
  add(placed: readonly string[]): void {
    const { root, bin } = this.#places;
    const paths = placed.filter((path) => dirname(path) !== bin || isOwnLink(path));
    const files = new Map<string, RecordedFile>(Object.entries(this.#record.read()));
    for (const name of [...files.keys(), ...paths.map((path) => this.#nameOf(path))]) {
      const isNew = paths.some((path) => this.#nameOf(path) === name);
      const mark = markFile(root, name);
      if (mark === undefined) files.delete(name);
      else if (isNew) files.set(name, mark);
    }
    this.#record.write(Object.fromEntries(files));
  }

  /** Removes programs and packages that Oka did not install, or that changed: they would hide the installed ones. */
  removeOthers(): void {
    const { bin, nodeBin } = this.#places;
    for (const path of [...entries(bin).filter(isOwnLink), ...entries(nodeBin)])
      if (!this.has(path)) rmSync(path, { recursive: true, force: true });
    for (const link of this.nodeLinks())
      if (this.packageOf(link) === undefined) rmSync(link, { recursive: true, force: true });
  }

  /** The links in `node_modules`, also those of scoped packages. */
  nodeLinks(): readonly string[] {
    return entries(this.#places.nodeModules).flatMap((one) => (isFolder(one) ? entries(one) : [one]));
  }

  /** The folder of the installed package that a link in `node_modules` leads to. */
  packageOf(link: string): string | undefined {
    if (!lstatSync(link, { throwIfNoEntry: false })?.isSymbolicLink()) return undefined;
    // A link leads to `../packages/<place>/node_modules/<name>`.
    const place = /^(?:\.\.\/)+packages\/([^/]+)\/node_modules\//.exec(readlinkSync(link))?.[1];
    if (place === undefined || place.startsWith('.')) return undefined;
    const folder = join(this.#places.nodePackages, place);
    return this.has(join(folder, PACKAGES_FILE)) ? folder : undefined;
  }

  #nameOf(path: string): string {
    return relative(this.#places.root, path);
  }
}

export function entries(folder: string): readonly string[] {
  return isFolder(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() ?? false;
}
