import type { Dirent, Stats } from 'node:fs';
import type {
  directoryNodeText,
  FolderTexts,
  folderPacker,
  IgnoreLayer,
  ignoreMatcher,
} from '../../context/index.ts';
import type { contentHasher } from './content-hasher.ts';
import type { Numbers } from './node-stamp.ts';

/** Folders to take, none of which has a backslash in its path. */
export interface TakeRequest {
  /** Where they are reached, as byte strings with a NUL behind each. */
  readonly places: string;
  /** Their paths in the workspace, in the same way, as texts. */
  readonly paths: string;
  /** The rules that hold in them, and their key. */
  readonly layers: readonly IgnoreLayer[];
  readonly rules: string;
  /** What was changed at this moment or later is not taken. */
  readonly settledBefore: number;
}

/** A folder of which some folders were not taken; blanks stand for their ids. */
export interface OpenFolder extends FolderTexts {
  readonly stamp: Numbers;
  readonly stamps: readonly number[];
}

/** What was taken: folders that were asked for, and those below them. */
export interface TakeAnswer {
  /** The paths of the whole folders, each behind those that it holds, with a NUL behind each. */
  readonly paths: string;
  /** Their packed records, one behind the other, and how many bytes each has. */
  readonly records: Uint8Array;
  readonly lengths: readonly number[];
  /** By path. */
  readonly open: ReadonlyMap<string, OpenFolder>;
  /** The paths of those that have to be looked at by whoever asks. */
  readonly declined: readonly string[];
  /** How many files were read. */
  readonly read: number;
}

/** What a folder-taker is made of; each part runs as the text that it is. */
export interface FolderTakerParts {
  readonly hashOf: ReturnType<typeof contentHasher>;
  readonly isLeftOut: ReturnType<typeof ignoreMatcher>;
  readonly packer: ReturnType<typeof folderPacker>;
  readonly folderText: typeof directoryNodeText;
  readonly never: ReadonlySet<string>;
  readonly ignoreFiles: ReadonlySet<string>;
}

/** What is in a folder, in the order of the bytes of the names, and which folders in it are left out. */
interface Listed {
  readonly stamp: Numbers;
  readonly names: readonly string[];
  readonly kept: readonly Dirent[];
  readonly leftOut: readonly string[];
}

/** What is known of the children of a folder so far; blanks stand for the ids of its folders. */
interface Gathered {
  kinds: string;
  /** The contents of files and the ids of folders. */
  readonly contents: string[];
  readonly stamps: number[];
  files: number;
}

/**
 * Makes the function that lists folders and reads the files in them. It takes only what is simple: folders of files and
 * folders that are older than the scan, whose names are text, without rules of their own. All others are left to whoever asks.
 * It runs in worker threads as the text that it is, so it uses nothing but what Node has everywhere and what it is given.
 */
export function folderTaker(parts: FolderTakerParts): (request: TakeRequest) => TakeAnswer {
  const { hashOf, isLeftOut, packer, folderText, never, ignoreFiles } = parts;
  const fs = process.getBuiltinModule('node:fs');
  const crypto = process.getBuiltinModule('node:crypto');
  const flags = fs.constants.O_RDONLY | fs.constants.O_NOFOLLOW | fs.constants.O_NONBLOCK;
  const plain = /^[^\\\u0080-\uffff]*$/;
  const ownerMayExecute = 0o100;
  const mostEntries = 512;
  const longestPlace = 3_000;
  /** So much is taken below a folder that was asked for, so that no thread has all the work. */
  const mostBelow = 1_024;
  const unknown = ' '.repeat(64);

  // What the request says, and what comes of it, in variables: an object from another thread is slow to look into.
  let layers: readonly IgnoreLayer[] = [];
  let [rules, settledBefore] = ['', 0];
  let lengths: number[] = [];
  let open = new Map<string, OpenFolder>();
  let declined: string[] = [];
  let wholePaths = '';
  let read = 0;
  /** How much more may be taken below the folder that was asked for. */
  let left = 0;

  const systemPath = (bytes: string): string | Buffer =>
    plain.test(bytes) ? bytes : Buffer.from(bytes, 'latin1');

  /** The text of a name; undefined when it is none, or has a backslash. */
  const textOf = (bytes: string): string | undefined => {
    if (plain.test(bytes)) return bytes;
    const text = Buffer.from(bytes, 'latin1').toString('utf8');
    return bytes.includes('\\') || Buffer.from(text, 'utf8').toString('latin1') !== bytes ? undefined : text;
  };

  const isSettled = (found: Stats): boolean => found.mtimeMs < settledBefore && found.ctimeMs < settledBefore;

  const isSimple = (entry: Dirent): boolean =>
    (entry.isFile() || entry.isDirectory()) && !ignoreFiles.has(entry.name);

  /** What is in a folder, ordered by the bytes of the names; undefined when it cannot be taken. */
  const entriesOf = (place: string): Dirent[] | undefined => {
    const path = systemPath(place);
    const entries = fs.readdirSync(path, { encoding: 'latin1', withFileTypes: true });
    if (entries.length > mostEntries) return undefined;
    return entries.sort((a, b) => (a.name < b.name ? -1 : 1));
  };

  const listOf = (place: string, path: string): Listed | undefined => {
    const itself = fs.lstatSync(systemPath(place));
    if (!itself.isDirectory() || !isSettled(itself) || place.length > longestPlace) return undefined;
    const entries = entriesOf(place);
    if (entries === undefined) return undefined;
    const bytesBefore =
      path === '' ? '' : `${plain.test(path) ? path : Buffer.from(path).toString('latin1')}/`;
    const names: string[] = [];
    const kept: Dirent[] = [];
    const leftOut: string[] = [];
    for (let i = 0; i < entries.length; i++) {
      const entry = entries[i] as Dirent;
      const isFolder = entry.isDirectory();
      const name = textOf(entry.name);
      if (name === undefined || !isSimple(entry)) return undefined;
      if (never.has(name)) continue;
      if (!isLeftOut(layers, bytesBefore + entry.name, entry.name, isFolder)) {
        names.push(name);
        kept.push(entry);
      } else if (isFolder) leftOut.push(name);
    }
    return { stamp: [itself.size, itself.mtimeMs, itself.ctimeMs, itself.ino], names, kept, leftOut };
  };

  /**
   * Reads all files of a folder; undefined when one is none, or as new as the scan. In one piece, because V8 would put the
   * parts into each other and translate them again for each place.
   */
  const filesOf = (place: string, { names, kept }: Listed): Gathered | undefined => {
    const isPlain = plain.test(place);
    const own: Gathered = { kinds: '', contents: [], files: 0, stamps: [] };
    for (let i = 0; i < kept.length; i++) {
      const entry = kept[i] as Dirent;
      const name = names[i] as string;
      if (entry.isDirectory()) {
        own.kinds += 'd';
        own.contents.push(unknown);
        own.stamps.push(0, 0, 0, 0);
        continue;
      }
      const bytes = `${place}/${entry.name}`;
      const descriptor = fs.openSync(isPlain && name === entry.name ? bytes : systemPath(bytes), flags);
      let hash: string;
      let found: Stats;
      try {
        hash = hashOf(descriptor);
        found = fs.fstatSync(descriptor);
      } finally {
        fs.closeSync(descriptor);
      }
      if (!found.isFile() || !isSettled(found)) return undefined;
      own.kinds += (found.mode & ownerMayExecute) === 0 ? 'f' : 'x';
      own.contents.push(hash);
      own.files += 1;
      own.stamps.push(found.size, found.mtimeMs, found.ctimeMs, found.ino);
    }
    return own;
  };

  /** Takes what is below a folder; true when all of it is whole. */
  const takeFolders = (place: string, before: string, { names, kept }: Listed, own: Gathered): boolean => {
    let isWhole = true;
    for (let i = own.kinds.indexOf('d'); i >= 0; i = own.kinds.indexOf('d', i + 1)) {
      const path = before + (names[i] as string);
      const folder = left > 0 ? takeBelow(`${place}/${(kept[i] as Dirent).name}`, path) : undefined;
      if (folder !== undefined) for (let k = 0; k < 4; k++) own.stamps[i * 4 + k] = folder.stamp[k] as number;
      if (folder === undefined || folder.id === '') isWhole = false;
      else own.contents[i] = folder.id;
    }
    return isWhole;
  };

  /** Takes a folder with what is below it; undefined when it is left to whoever asks. */
  const take = (place: string, path: string): OpenFolder | undefined => {
    const before = path === '' ? '' : `${path}/`;
    const listed = listOf(place, path);
    const own = listed && filesOf(place, listed);
    if (own === undefined) return undefined;
    const { stamp, names, leftOut } = listed as Listed;
    left -= names.length + 1;
    read += own.files;
    // Only what is sure to be taken itself has what is below it taken.
    const isWhole = takeFolders(place, before, listed as Listed, own);
    const folder = {
      id: isWhole ? crypto.hash('sha256', folderText(path, { names, ...own })) : '',
      rules,
      ignoreFiles: 0,
      kinds: own.kinds,
      stamp,
      stamps: own.stamps,
      names: names.join('/'),
      leftOut: leftOut.join('/'),
      skipped: '',
      hashes: own.contents.join(''),
      targets: '',
    };
    if (!isWhole) open.set(path, folder);
    else {
      wholePaths += `${path}\0`;
      lengths.push(packer.add(folder));
    }
    return folder;
  };

  const takeBelow = (place: string, path: string): OpenFolder | undefined => {
    let folder: OpenFolder | undefined;
    try {
      folder = take(place, path);
    } catch {
      // Whoever asks looks for itself, and says what the system answers.
    }
    if (folder === undefined) declined.push(path);
    return folder;
  };

  return (request) => {
    ({ layers, rules, settledBefore } = request);
    lengths = [];
    open = new Map();
    declined = [];
    wholePaths = '';
    read = 0;
    const asked = request.paths.split('\0');
    for (const [i, place] of request.places.slice(0, -1).split('\0').entries()) {
      left = mostBelow;
      takeBelow(place, asked[i] as string);
    }
    return { paths: wholePaths, records: packer.take(), lengths, open, declined, read };
  };
}
