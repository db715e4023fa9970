// Owns: writing derived files. I1 A file is replaced as a whole, and only if its content changes. I2 A user's edits are never
// lost: they are moved aside once, and left alone after that. I3 No link is followed.
import { existsSync, lstatSync, mkdirSync, readdirSync, renameSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import {
  type DerivedReport,
  isDerivedPath,
  type MaintenanceErrorCode,
  TODOS,
} from '../../assistant/index.ts';
import { readTextFile, replaceFile } from '../../disk/index.ts';
import { digestOf, OkaError } from '../../kernel/index.ts';

const FOLDERS = ['brain', 'memory'];
const NOTE = 'Made by Oka from its ledger and replaced without asking; nothing reads it back.';
const MARK = /^<!-- [^\n]* sha256:([0-9a-f]{64}) -->\n/;

/** The derived files in the `.oka` folder of a workspace. */
export class DerivedFiles {
  readonly #directory: string;

  constructor(directory: string) {
    this.#directory = directory;
  }

  /** Whether the file that always exists is there. */
  get isComplete(): boolean {
    return existsSync(join(this.#directory, TODOS));
  }

  get isEmpty(): boolean {
    return this.#present().length === 0;
  }

  /** Writes these files and removes all others; with `only`, limited to these paths. A dry run only reports. */
  replace(
    files: ReadonlyMap<string, string>,
    { dryRun = false, only }: { readonly dryRun?: boolean; readonly only?: ReadonlySet<string> } = {},
  ): DerivedReport {
    for (const folder of FOLDERS) this.#refuseLink(folder);
    const report = { written: [], removed: [], unchanged: 0, setAside: [], leftAlone: [] } as {
      -readonly [name in keyof DerivedReport]: DerivedReport[name] extends number ? number : string[];
    };
    for (const path of this.#present()) {
      if (files.has(path) || only?.has(path) === false || !this.#moveEditedAside(path, report, dryRun))
        continue;
      report.removed.push(path);
      if (!dryRun) rmSync(join(this.#directory, path), { force: true });
    }
    for (const [path, content] of files) {
      const marked = withMark(content);
      if (this.#read(path) === marked) report.unchanged += 1;
      else if (this.#moveEditedAside(path, report, dryRun)) {
        report.written.push(path);
        if (!dryRun) this.#write(path, marked);
      }
    }
    return report;
  }

  /** Moves a user's edited file aside. False if that was already done, and the file has to stay as it is. */
  #moveEditedAside(
    path: string,
    report: { setAside: string[]; leftAlone: string[] },
    dryRun: boolean,
  ): boolean {
    const existing = this.#read(path);
    if (existing === undefined || isUnedited(existing)) return true;
    const aside = `${path}.edited`;
    if (existsSync(join(this.#directory, aside))) {
      report.leftAlone.push(path);
      return false;
    }
    report.setAside.push(aside);
    if (!dryRun) renameSync(join(this.#directory, path), join(this.#directory, aside));
    return true;
  }

  #write(path: string, content: string): void {
    const file = join(this.#directory, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    replaceFile(file, content);
  }

  #read(path: string): string | undefined {
    const file = join(this.#directory, path);
    const stat = lstatSync(file, { throwIfNoEntry: false });
    if (stat === undefined) return undefined;
    if (!stat.isFile()) throw linkRefused(file);
    return readTextFile(file);
  }

  /** The existing derived files, in order. */
  #present(): readonly string[] {
    return FOLDERS.filter((folder) => existsSync(join(this.#directory, folder)))
      .flatMap((folder) => readdirSync(join(this.#directory, folder)).map((name) => `${folder}/${name}`))
      .filter(isDerivedPath)
      .sort();
  }

  #refuseLink(folder: string): void {
    const path = join(this.#directory, folder);
    const stat = lstatSync(path, { throwIfNoEntry: false });
    if (stat !== undefined && !stat.isDirectory()) throw linkRefused(path);
  }
}

function linkRefused(path: string): OkaError {
  const code: MaintenanceErrorCode = 'maintenance.link_refused';
  return new OkaError(
    code,
    `${path} is a link or not a regular file, so nothing is written through it. Remove it.`,
    { data: { path } },
  );
}

function withMark(content: string): string {
  return `<!-- ${NOTE} sha256:${digestOf(content)} -->\n${content}`;
}

function isUnedited(text: string): boolean {
  const mark = MARK.exec(text);
  return mark !== null && digestOf(text.slice(mark[0].length)) === mark[1];
}
