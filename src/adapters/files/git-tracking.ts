// Owns: whether git tracks a path, read from git's index without running git. I1 Where the index cannot be read, every file of
// that repository counts as tracked.
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, posix, relative, resolve, sep } from 'node:path';

const HEADER_BYTES = 12;
const ENTRY_BYTES = 62;
const EXTENDED = 0x4000;
/** The versions whose paths are not compressed. */
const PLAIN_VERSIONS = [2, 3];
/** The extension of an index whose entries are in another file. */
const SPLIT = 'link';

interface Index {
  readonly stamp: string;
  /** Undefined if the index cannot be read. */
  readonly paths: ReadonlySet<string> | undefined;
}

/** Finds the repository of a file, also one above the workspace, and looks the file up in its index. */
export class GitTracking {
  readonly #workspace: string;
  readonly #indexes = new Map<string, Index>();

  constructor(workspace: string) {
    this.#workspace = resolve(workspace);
  }

  /** Whether a repository tracks this file of the workspace, or a file below this folder. */
  async tracks(path: string): Promise<boolean> {
    const file = join(this.#workspace, path);
    const found = await findRepository(dirname(file));
    if (found === undefined) return false;
    const paths = await this.#paths(join(found.data, 'index'));
    return paths === undefined || paths.has(relative(found.folder, file).split(sep).join('/'));
  }

  async #paths(file: string): Promise<ReadonlySet<string> | undefined> {
    const status = await stat(file, { bigint: true }).catch(() => undefined);
    // A repository without an index tracks nothing yet.
    if (status === undefined) return new Set();
    const stamp = `${status.ino}:${status.size}:${status.ctimeNs}`;
    const known = this.#indexes.get(file);
    if (known?.stamp === stamp) return known.paths;
    const paths = await readFile(file).then(readIndex, () => undefined);
    this.#indexes.set(file, { stamp, paths });
    return paths;
  }
}

/** The nearest folder above with repository data. A `.git` file names the folder of the data. */
async function findRepository(
  from: string,
): Promise<{ readonly folder: string; readonly data: string } | undefined> {
  for (let folder = from; ; folder = dirname(folder)) {
    const place = join(folder, '.git');
    const status = await stat(place).catch(() => undefined);
    if (status?.isDirectory()) return { folder, data: place };
    if (status?.isFile()) {
      const named = /^gitdir: (.+)$/m.exec(await readFile(place, 'utf8').catch(() => ''))?.[1];
      return { folder, data: named === undefined ? place : resolve(folder, named.trim()) };
    }
    if (folder === dirname(folder)) return undefined;
  }
}

/** The paths in an index, and the folders above them; undefined for a form that is not read here. */
function readIndex(bytes: Buffer): ReadonlySet<string> | undefined {
  if (bytes.length < HEADER_BYTES || bytes.toString('latin1', 0, 4) !== 'DIRC') return undefined;
  const version = bytes.readUInt32BE(4);
  if (!PLAIN_VERSIONS.includes(version)) return undefined;
  const paths = new Set<string>();
  let place = HEADER_BYTES;
  for (let left = bytes.readUInt32BE(8); left > 0; left -= 1) {
    if (place + ENTRY_BYTES > bytes.length) return undefined;
    const isExtended = (bytes.readUInt16BE(place + ENTRY_BYTES - 2) & EXTENDED) !== 0;
    const start = place + ENTRY_BYTES + (isExtended ? 2 : 0);
    const end = bytes.indexOf(0, start);
    if (end < 0) return undefined;
    addWithFolders(paths, bytes.toString('utf8', start, end));
    // Entries are padded with one to eight zero bytes.
    place += Math.floor((end - place + 8) / 8) * 8;
  }
  return bytes.toString('latin1', place, place + 4) === SPLIT ? undefined : paths;
}

function addWithFolders(paths: Set<string>, path: string): void {
  for (let at = path; at !== '.' && !paths.has(at); at = posix.dirname(at)) paths.add(at);
}
