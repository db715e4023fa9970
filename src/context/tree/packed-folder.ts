// A folder's record as the bytes that the index stores. Numbers first (see the header), then a
// stamp for each child, the hashes of the files and the ids of the folders, 32 bytes each, and a text.
import type { FolderRecord, Stamp } from './types.ts';

const BYTES = 8;
const NUMBERS = 4;
/** Children, bytes of the text, ignore files, files, links, size of all files, and the stamp of the folder itself. */
const HEADER = 6 + NUMBERS;
/** The size of an id or a content hash. */
export const HASH_BYTES = 32;
export const HASH_DIGITS = 2 * HASH_BYTES;

/** A record over its bytes; fields are decoded on access. */
export class PackedFolder implements FolderRecord {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly #numbers: Float64Array;
  #texts: readonly string[] | undefined;
  #names: readonly string[] | undefined;
  #contents: readonly string[] | undefined;

  constructor(path: string, bytes: Uint8Array) {
    this.path = path;
    this.bytes = bytes.byteOffset % BYTES === 0 ? bytes : new Uint8Array(bytes);
    const { buffer, byteOffset, byteLength } = this.bytes;
    this.#numbers = new Float64Array(buffer, byteOffset, Math.floor(byteLength / BYTES));
  }

  /** Packs a record; returns the same object if it is packed already. */
  static of(folder: FolderRecord): PackedFolder {
    return folder instanceof PackedFolder ? folder : new PackedFolder(folder.path, pack(folder));
  }

  get ignoreFiles(): number {
    return this.#numbers[2] as number;
  }

  /** The number of its own files and links, and the size of its files. */
  get counts(): { readonly files: number; readonly links: number; readonly bytes: number } {
    const numbers = this.#numbers;
    return { files: numbers[3] as number, links: numbers[4] as number, bytes: numbers[5] as number };
  }

  get stamp(): Stamp {
    const numbers = this.#numbers;
    return {
      size: numbers[6] as number,
      modifiedAt: numbers[7] as number,
      changedAt: numbers[8] as number,
      inode: numbers[9] as number,
    };
  }

  get stamps(): Float64Array {
    return this.#numbers.subarray(HEADER, HEADER + this.count * NUMBERS);
  }

  get kinds(): string {
    return this.#text(0);
  }

  get names(): readonly string[] {
    this.#names ??= this.count === 0 ? [] : this.#text(1).split('/');
    return this.#names;
  }

  get id(): string {
    return this.#text(3);
  }

  get rules(): string {
    return this.#text(4);
  }

  get leftOut(): readonly string[] {
    return listOf(this.#text(5));
  }

  get skipped(): FolderRecord['skipped'] {
    const text = this.#text(6);
    return text === '' ? [] : (JSON.parse(text) as FolderRecord['skipped']);
  }

  get contents(): readonly string[] {
    this.#contents ??= contentsOf(this.kinds, this.#hashes(), this.#text(2));
    return this.#contents;
  }

  get count(): number {
    return this.#numbers[0] as number;
  }

  /** The part of the record that a delta contains: hashes (32 bytes each), kinds, names and targets, separated by NUL. */
  get children(): Uint8Array {
    const targetsAt = this.bytes.indexOf(0, this.#textAt + this.count + 1) + 1;
    return this.bytes.subarray(this.#hashesAt, this.bytes.indexOf(0, targetsAt));
  }

  /** The number of children with a hash: all but links. */
  get hashCount(): number {
    return this.count - this.counts.links;
  }

  get #hashesAt(): number {
    return (HEADER + this.count * NUMBERS) * BYTES;
  }

  get #textAt(): number {
    return this.#hashesAt + this.hashCount * HASH_BYTES;
  }

  #text(at: number): string {
    if (this.#texts === undefined) {
      const from = this.#textAt;
      this.#texts = this.#buffer()
        .toString('utf8', from, from + (this.#numbers[1] as number))
        .split('\0');
    }
    return this.#texts[at] as string;
  }

  #hashes(): string {
    return this.#buffer().toString('hex', this.#hashesAt, this.#textAt);
  }

  #buffer(): Buffer {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

function pack(folder: FolderRecord): Uint8Array {
  const { kinds, names, contents, stamp, stamps, skipped } = folder;
  const hashes = contents.filter((_, at) => kinds[at] !== 'l').join('');
  const targets = contents.filter((_, at) => kinds[at] === 'l').map(encodeURIComponent);
  const [joinedNames, joinedTargets, leftOut] = [names, targets, folder.leftOut].map((list) =>
    list.join('/'),
  );
  const why = skipped.length === 0 ? '' : JSON.stringify(skipped);
  const text = [kinds, joinedNames, joinedTargets, folder.id, folder.rules, leftOut, why].join('\0');
  const hashesAt = (HEADER + kinds.length * NUMBERS) * BYTES;
  const textAt = hashesAt + hashes.length / 2;
  const textLength = Buffer.byteLength(text);
  const bytes = Buffer.from(new ArrayBuffer(Math.ceil((textAt + textLength) / BYTES) * BYTES));
  bytes.write(hashes, hashesAt, 'hex');
  bytes.write(text, textAt);
  let [files, size] = [0, 0];
  for (let at = 0; at < kinds.length; at++) {
    if (kinds[at] === 'l' || kinds[at] === 'd') continue;
    files += 1;
    size += stamps[at * NUMBERS] as number;
  }
  const numbers = new Float64Array(bytes.buffer);
  numbers.set([kinds.length, textLength, folder.ignoreFiles, files, targets.length, size]);
  numbers.set([stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.inode], HEADER - NUMBERS);
  numbers.set(stamps, HEADER);
  return new Uint8Array(bytes.buffer);
}

/** The content of each child, from the joined hashes and targets of a record. */
export function contentsOf(kinds: string, hashes: string, joinedTargets: string): readonly string[] {
  const targets = listOf(joinedTargets);
  let [hash, link] = [0, 0];
  return Array.from(kinds, (kind) =>
    kind === 'l'
      ? decodeURIComponent(targets[link++] as string)
      : hashes.slice(hash * HASH_DIGITS, ++hash * HASH_DIGITS),
  );
}

function listOf(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split('/');
}
