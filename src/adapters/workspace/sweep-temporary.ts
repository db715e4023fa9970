// Owns: removing temporary files of killed processes.
// I1 A file is removed only if it has a name that only Oka uses and names no live process. Where the name does not tell that the
//    process is gone, the file is older than an hour.
// I2 No link is followed.
import {
  type Dirent,
  existsSync,
  lstatSync,
  mkdirSync,
  readdirSync,
  realpathSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { isLeftBehind, isRunning, isTemporary } from '../../disk/index.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Visiting more entries of a large workspace would noticeably slow down the command. */
const MAX_ENTRIES = 20_000;
/** Folders of `.oka` whose files are not replaced. */
const OTHER_FILES: ReadonlySet<string> = new Set(['objects', 'tools']);
/** Folders of other tools, often with very many files. */
const SKIPPED_FOLDERS: ReadonlySet<string> = new Set(['.git', '.oka', 'node_modules']);

/** Where temporary files are created, and their names there. A number in the name is a process ID. */
const OWN_NAME = {
  /** Directly in `.oka`. */
  root: /^(?:run_ledger\.jsonl\.new|oka\.db\.rebuilt.*|.+\.(?<pid>\d+)\.(?:new|part))$/,
  /** In folders that only Oka writes: derived files, process records, the vault during a write. */
  machine: /^.+\.new$/,
  graphs: /^.+\.(?<pid>\d+)\.part$/,
  objects: /^\.[0-9a-f]{16}\.tmp$/,
  home: /^(?:(?:trust|grants|config)\.json\.new|.+\.(?<pid>\d+)\.new)$/,
  /** Folders for programs without a sandbox, and copies of databases that cannot be read in place. */
  system: /^oka-(?:process|read)-(?<pid>\d+)-\w+$/,
  /** Next to users' files that are being replaced. */
  workspace: /^\.oka-[0-9a-f]{16}\.tmp$/,
} as const;

interface SweptPlaces {
  readonly workspace: string;
  /** The `.oka` folder. */
  readonly directory: string;
  /** The user's own folder. */
  readonly home: string;
  /** The system's temporary folder. */
  readonly system?: string;
}

/** Removes what killed processes have left next to files of Oka that they were replacing. Fast enough for every command. */
export function sweepLeft({ workspace, directory, home }: SweptPlaces): readonly string[] {
  const folders = [home, join(home, 'heads'), join(workspace, 'evals')];
  const left = [
    ...folders.flatMap((folder) => entriesOf(folder)),
    ...entriesBelow(directory, (name) => !OTHER_FILES.has(name)),
  ]
    .filter((entry) => entry.isFile() && isLeftBehind(entry.name))
    .map((entry) => join(entry.parentPath, entry.name))
    .filter(isOurs);
  for (const path of left) rmSync(path, { force: true });
  return left;
}

/** Sweeps at most once a day. Returns the removed paths. */
export function sweepDaily(places: SweptPlaces, now: number): readonly string[] {
  const marker = join(places.directory, 'run', 'swept');
  const last = lstatSync(marker, { throwIfNoEntry: false });
  if (last !== undefined && Math.abs(now - last.mtimeMs) < DAY_MS) return [];
  mkdirSync(join(places.directory, 'run'), { recursive: true, mode: 0o700 });
  // Written first, so that a failing sweep is not repeated by every command.
  writeFileSync(marker, '', { mode: 0o600 });
  return sweepTemporary(places, now);
}

/** Removes temporary files that are no longer in use. */
export function sweepTemporary(places: SweptPlaces, now: number): readonly string[] {
  const { directory } = places;
  // The folders themselves may be links of the user; their content may not.
  const [home, workspace, system] = [places.home, places.workspace, places.system ?? tmpdir()].map(
    realPath,
  ) as [string, string, string];
  const left = [
    ...named(directory, OWN_NAME.root),
    ...['run', 'memory', 'brain'].flatMap((name) => namedBelow(join(directory, name), OWN_NAME.machine)),
    ...named(join(directory, 'graphs'), OWN_NAME.graphs),
    ...entriesOf(join(directory, 'objects'))
      .filter((entry) => entry.isDirectory())
      .flatMap((entry) => named(join(entry.parentPath, entry.name), OWN_NAME.objects)),
    ...named(home, OWN_NAME.home),
    ...named(system, OWN_NAME.system, (entry) => entry.isDirectory()),
    ...namedBelow(workspace, OWN_NAME.workspace),
  ].filter((path) => isOurs(path) && isOld(path, now));
  for (const path of left) rmSync(path, { recursive: true, force: true, maxRetries: 3 });
  return left;
}

function realPath(path: string): string {
  return existsSync(path) ? realpathSync.native(path) : path;
}

function named(
  folder: string,
  pattern: RegExp,
  fits: (entry: Dirent) => boolean = (entry) => entry.isFile(),
): readonly string[] {
  return entriesOf(folder)
    .filter((entry) => fits(entry) && isAbandoned(entry.name, pattern))
    .map((entry) => join(folder, entry.name));
}

/** As `named`, recursively. */
function namedBelow(root: string, pattern: RegExp): readonly string[] {
  return entriesBelow(root, (name) => !SKIPPED_FOLDERS.has(name))
    .filter((entry) => entry.isFile() && isAbandoned(entry.name, pattern))
    .map((entry) => join(entry.parentPath, entry.name));
}

/** The entries of a folder and of the folders in it that are entered, up to a number. */
function entriesBelow(root: string, isEntered: (name: string) => boolean): readonly Dirent[] {
  const found: Dirent[] = [];
  const folders = [root];
  for (let at = 0; at < folders.length && found.length < MAX_ENTRIES; at++) {
    const entries = entriesOf(folders[at] as string);
    found.push(...entries);
    for (const { name, parentPath } of entries.filter(
      (entry) => entry.isDirectory() && isEntered(entry.name),
    ))
      folders.push(join(parentPath, name));
  }
  return found;
}

/** The entries of a folder; none if it is missing, a link or unreadable. */
function entriesOf(folder: string): readonly Dirent[] {
  try {
    return lstatSync(folder).isDirectory() ? readdirSync(folder, { withFileTypes: true }) : [];
  } catch {
    return [];
  }
}

function isAbandoned(name: string, pattern: RegExp): boolean {
  const match = pattern.exec(name);
  if (match === null) return isTemporary(name);
  const pid = match.groups?.['pid'];
  return pid === undefined || !isRunning(Number(pid));
}

function isOld(path: string, now: number): boolean {
  const found = lstatSync(path, { throwIfNoEntry: false });
  return found !== undefined && now - found.mtimeMs > HOUR_MS;
}

/** The system's folder is shared with other users. */
function isOurs(path: string): boolean {
  return process.getuid === undefined || statSync(path, { throwIfNoEntry: false })?.uid === process.getuid();
}
