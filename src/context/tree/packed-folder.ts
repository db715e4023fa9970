// A folder's record as bytes, made once, handed between threads and kept as they are. Numbers first (see the header), then a
// stamp for each child, the hashes of the files and the ids of the folders, 32 bytes each, and a text.
import type { FolderRecord, Stamp } from './types.ts';

const BYTES = 8;
const NUMBERS = 4;
/** Children, bytes of the text, ignore files, files, links, size of all files, and the stamp of the folder itself. */
const HEADER = 6 + NUMBERS;
/** An id or a hash of content. */
export const HASH_BYTES = 32;
export const HASH_DIGITS = 2 * HASH_BYTES;

/** A folder's record, its lists as texts. */
export interface FolderTexts extends Pick<FolderRecord, 'id' | 'rules' | 'ignoreFiles' | 'kinds'> {
  /** Size, modified at, changed at, inode. */
  readonly stamp: ArrayLike<number>;
  readonly stamps: ArrayLike<number>;
  /** With a slash between them. */
  readonly names: string;
  readonly leftOut: string;
  /** As JSON; empty when there is nothing to tell. */
  readonly skipped: string;
  /** The contents of files and the ids of folders, one behind the other. */
  readonly hashes: string;
  /** Of the links, encoded as parts of an address, with a slash between them. */
  readonly targets: string;
}

/** Packs records one behind the other, into memory that it keeps, because memory for each would keep V8 busy. */
export interface FolderPacker {
  /** Packs one more; answers with its length, a multiple of eight. */
  add(folder: FolderTexts): number;
  /** The bytes of all that were added since the last time, in memory of their own. */
  take(): Uint8Array;
}

/** Makes a packer. It runs in worker threads as the text that it is, so it uses nothing else. */
export function folderPacker(): FolderPacker {
  const header = 10;
  const word = 8;
  const mostBytesOfAUnit = 3;
  const mostKept = 4_194_304;
  let memory = Buffer.from(new ArrayBuffer(65_536));
  let numbers = new Float64Array(memory.buffer);
  let used = 0;

  const makeRoom = (end: number): void => {
    if (end <= memory.length) return;
    const larger = Buffer.from(new ArrayBuffer(Math.ceil((2 * end) / word) * word));
    larger.set(memory.subarray(0, used));
    memory = larger;
    numbers = new Float64Array(larger.buffer);
  };

  return {
    add: (folder) => {
      const { kinds, stamp, stamps, hashes } = folder;
      const count = kinds.length;
      const about = `${kinds}\0${folder.names}\0${folder.targets}\0${folder.id}`;
      const text = `${about}\0${folder.rules}\0${folder.leftOut}\0${folder.skipped}`;
      const hashesAt = used + (header + count * 4) * word;
      const textAt = hashesAt + hashes.length / 2;
      makeRoom(textAt + text.length * mostBytesOfAUnit + word);
      memory.write(hashes, hashesAt, 'hex');
      const textLength = memory.write(text, textAt);
      let end = textAt + textLength;
      while (end % word !== 0) memory[end++] = 0;
      let [files, links, size] = [0, 0, 0];
      for (let at = 0; at < count; at++) {
        if (kinds[at] === 'l') links += 1;
        else if (kinds[at] !== 'd') {
          files += 1;
          size += stamps[at * 4] as number;
        }
      }
      const at = used / word;
      numbers[at] = count;
      numbers[at + 1] = textLength;
      numbers[at + 2] = folder.ignoreFiles;
      numbers[at + 3] = files;
      numbers[at + 4] = links;
      numbers[at + 5] = size;
      numbers.set(stamp, at + 6);
      numbers.set(stamps, at + header);
      const length = end - used;
      used = end;
      return length;
    },
    take: () => {
      const all = new Uint8Array(memory.buffer.slice(0, used));
      used = 0;
      if (memory.length > mostKept) {
        memory = Buffer.from(new ArrayBuffer(word));
        numbers = new Float64Array(memory.buffer);
      }
      return all;
    },
  };
}

const ONE_RECORD = folderPacker();

/** A record over its bytes; what it is asked for is read then. */
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

  /** A record as bytes; the same one where it is that already. */
  static of(folder: FolderRecord): PackedFolder {
    if (folder instanceof PackedFolder) return folder;
    const { kinds, stamp, contents } = folder;
    ONE_RECORD.add({
      id: folder.id,
      rules: folder.rules,
      ignoreFiles: folder.ignoreFiles,
      kinds,
      stamp: [stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.inode],
      stamps: folder.stamps,
      names: folder.names.join('/'),
      leftOut: folder.leftOut.join('/'),
      skipped: folder.skipped.length === 0 ? '' : JSON.stringify(folder.skipped),
      hashes: contents.filter((_, at) => kinds[at] !== 'l').join(''),
      targets: contents
        .filter((_, at) => kinds[at] === 'l')
        .map(encodeURIComponent)
        .join('/'),
    });
    return new PackedFolder(folder.path, ONE_RECORD.take());
  }

  get ignoreFiles(): number {
    return this.#numbers[2] as number;
  }

  /** How many files and links it holds itself, and how large the files are. */
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

  /** The names with a slash between them. */
  get joinedNames(): string {
    return this.#text(1);
  }

  get names(): readonly string[] {
    this.#names ??= this.count === 0 ? [] : this.joinedNames.split('/');
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

  /** How many children it has. */
  get count(): number {
    return this.#numbers[0] as number;
  }

  /** What a delta tells of its children: their hashes, 32 bytes each, kinds, names and targets, with a NUL between. */
  get children(): Uint8Array {
    const targetsAt = this.bytes.indexOf(0, this.#textAt + this.count + 1) + 1;
    return this.bytes.subarray(this.#hashesAt, this.bytes.indexOf(0, targetsAt));
  }

  /** How many of its children have a hash: all but the links. */
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

/** The content of each child, from the hashes one behind the other and the targets as a record has them. */
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
