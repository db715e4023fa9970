import { pathIn } from '../paths.ts';
import type { NodeKind } from '../types.ts';
import { kindOf } from './indexed-tree.ts';
import { nodeIdOf } from './node-ids.ts';
import { contentsOf, HASH_BYTES, type PackedFolder } from './packed-folder.ts';
import type { NodeChange } from './types.ts';

const MAX_BUFFERED_LENGTH = 65_536;
const MAX_BYTES_PER_UNIT = 3;
const NEW_FOLDER = '*';
const LETTERS: Readonly<Record<NodeKind, string>> = { file: 'f', directory: 'd', link: 'l' };

/**
 * The difference between two roots as stored bytes. A change is a letter, the id before, the id after and the path,
 * each followed by NUL. A new folder is a star, its path and the number of hashes, each followed by NUL, then the
 * hashes as bytes, and kinds, names and targets as in its record, each followed by NUL. Changes are decoded to objects
 * only on request.
 */
export class TreeDelta {
  /** Grows with every change, because joining many pieces at the end would block the process. */
  #bytes = Buffer.allocUnsafeSlow(0);
  #used = 0;
  #text = '';
  #length = 0;
  readonly #leaves = { added: 0, changed: 0, removed: 0 };

  get length(): number {
    return this.#length;
  }

  /** The number of added, changed and removed files and links. */
  get leaves(): { readonly added: number; readonly changed: number; readonly removed: number } {
    return this.#leaves;
  }

  add(path: string, kind: NodeKind, before = '', after = ''): void {
    this.#text += `${LETTERS[kind]}\0${before}\0${after}\0${path}\0`;
    this.#length += 1;
    if (this.#text.length >= MAX_BUFFERED_LENGTH) this.#flushText();
    if (kind === 'directory') return;
    if (before === '') this.#leaves.added += 1;
    else if (after === '') this.#leaves.removed += 1;
    else this.#leaves.changed += 1;
  }

  /** Adds all children of a folder as new, without their own content. */
  addChildren(folder: PackedFolder): void {
    const { path, count, counts, hashCount } = folder;
    if (count === 0) return;
    this.#text += `${NEW_FOLDER}\0${path}\0${hashCount}\0`;
    this.#flushText();
    this.#append(folder.children);
    this.#text = '\0';
    this.#length += count;
    this.#leaves.added += counts.files + counts.links;
  }

  bytes(): Uint8Array {
    this.#flushText();
    return this.#bytes.subarray(0, this.#used);
  }

  changes(): readonly NodeChange[] {
    return decodeDelta(this.bytes()) ?? [];
  }

  #flushText(): void {
    this.#makeRoom(this.#text.length * MAX_BYTES_PER_UNIT);
    this.#used += this.#bytes.write(this.#text, this.#used);
    this.#text = '';
  }

  #append(piece: Uint8Array): void {
    this.#makeRoom(piece.length);
    this.#bytes.set(piece, this.#used);
    this.#used += piece.length;
  }

  #makeRoom(length: number): void {
    const used = this.#used + length;
    if (used <= this.#bytes.length) return;
    const larger = Buffer.allocUnsafeSlow(Math.max(used, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, this.#used));
    this.#bytes = larger;
  }
}

/** Decodes a delta; undefined for invalid bytes. */
export function decodeDelta(bytes: Uint8Array): readonly NodeChange[] | undefined {
  const reader = new DeltaReader(bytes);
  const changes: NodeChange[] = [];
  while (!reader.isAtEnd) {
    const letter = reader.text();
    const isRead =
      letter === NEW_FOLDER ? readChildren(reader, changes) : readChange(reader, letter, changes);
    if (!isRead) return undefined;
  }
  return reader.isCut ? undefined : changes;
}

function readChange(reader: DeltaReader, letter: string, changes: NodeChange[]): boolean {
  const [before, after, path] = [reader.text(), reader.text(), reader.text()];
  const kind = kindOf(letter);
  if (kind === undefined) return false;
  changes.push(change({ path, kind, before, after }));
  return true;
}

function readChildren(reader: DeltaReader, changes: NodeChange[]): boolean {
  const folder = reader.text();
  const hashCount = Number(reader.text());
  const hashes = reader.hashes(hashCount);
  const [kinds, names, targets] = [reader.text(), reader.text().split('/'), reader.text()];
  const links = kinds.split('l').length - 1;
  const targetCount = targets === '' ? 0 : targets.split('/').length;
  if (kinds.length !== hashCount + links || kinds.length !== names.length || links !== targetCount)
    return false;
  const contents = readContents(kinds, hashes, targets);
  if (contents === undefined) return false;
  for (const [i, name] of names.entries()) {
    const [letter, path] = [kinds[i] as string, pathIn(folder, name)];
    const kind = kindOf(letter);
    if (kind === undefined) return false;
    changes.push({ path, kind, after: nodeIdOf(path, letter, contents[i] as string) });
  }
  return true;
}

/** Undefined for an invalid target. */
function readContents(kinds: string, hashes: string, targets: string): readonly string[] | undefined {
  try {
    return contentsOf(kinds, hashes, targets);
  } catch {
    return undefined;
  }
}

/** Reads bytes from the start. If they end too early, `isCut` is set. */
class DeltaReader {
  readonly #bytes: Buffer;
  #at = 0;
  isCut = false;

  constructor(bytes: Uint8Array) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  get isAtEnd(): boolean {
    return this.isCut || this.#at >= this.#bytes.length;
  }

  /** The text up to the next NUL. */
  text(): string {
    const end = this.#bytes.indexOf(0, this.#at);
    if (end < 0) this.isCut = true;
    if (this.isCut) return '';
    const text = this.#bytes.toString('utf8', this.#at, end);
    this.#at = end + 1;
    return text;
  }

  /** The next hashes, joined. */
  hashes(count: number): string {
    const end = this.#at + count * HASH_BYTES;
    if (!(end <= this.#bytes.length)) this.isCut = true;
    if (this.isCut) return '';
    const hashes = this.#bytes.toString('hex', this.#at, end);
    this.#at = end;
    return hashes;
  }
}

/** Swaps before and after of each change. */
export function reverseDelta(changes: readonly NodeChange[]): readonly NodeChange[] {
  return changes.map(({ path, kind, before = '', after = '' }) =>
    change({ path, kind, before: after, after: before }),
  );
}

/** Joins consecutive deltas, ordered by path; drops paths that end unchanged. */
export function joinDeltas(deltas: readonly (readonly NodeChange[])[]): readonly NodeChange[] {
  const joined = new Map<string, NodeChange>();
  for (const delta of deltas) {
    for (const { path, kind, before = '', after = '' } of delta) {
      const earlier = joined.get(path);
      const from = earlier === undefined ? before : (earlier.before ?? '');
      if (from === after) joined.delete(path);
      else joined.set(path, change({ path, kind, before: from, after }));
    }
  }
  return [...joined.values()].sort((a, b) => (a.path < b.path ? -1 : 1));
}

function change(given: { path: string; kind: NodeKind; before: string; after: string }): NodeChange {
  const { path, kind, before, after } = given;
  return { path, kind, ...(before === '' ? {} : { before }), ...(after === '' ? {} : { after }) };
}
