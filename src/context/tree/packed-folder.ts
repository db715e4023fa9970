// A folder's record as bytes, made once, handed between threads and kept as they are. Numbers first (see the header), then a
// stamp for each child, the hashes of the files and the ids of the children, 32 bytes each, and a text.
import type { FolderRecord, Stamp } from './types.ts';

const BYTES = 8;
const NUMBERS = 4;
/** Children, bytes of the text, ignore files, files, links, size of all files, and the stamp of the folder itself. */
const HEADER = 6 + NUMBERS;
/** An id or a hash of content. */
export const HASH_BYTES = 32;

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
  /** One behind the other. */
  readonly ids: string;
  /** Of the files, one behind the other. */
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
  const hash = 32;
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
      const about = `${kinds}\0${folder.names}\0${folder.id}\0${folder.rules}`;
      const text = `${about}\0${folder.leftOut}\0${folder.skipped}\0${folder.targets}`;
      const hashesAt = used + (header + count * 4) * word;
      const idsAt = hashesAt + hashes.length / 2;
      const textAt = idsAt + count * hash;
      makeRoom(textAt + text.length * mostBytesOfAUnit + word);
      memory.write(hashes + folder.ids, hashesAt, 'hex');
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
  #ids: readonly string[] | undefined;
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
    const contentsOf = (isWanted: (kind: string) => boolean): readonly string[] =>
      contents.filter((_, at) => isWanted(kinds[at] as string));
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
      ids: folder.ids.join(''),
      hashes: contentsOf((kind) => kind === 'f' || kind === 'x').join(''),
      targets: contentsOf((kind) => kind === 'l')
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
    return this.#text(2);
  }

  get rules(): string {
    return this.#text(3);
  }

  get leftOut(): readonly string[] {
    return listOf(this.#text(4));
  }

  get skipped(): FolderRecord['skipped'] {
    const text = this.#text(5);
    return text === '' ? [] : (JSON.parse(text) as FolderRecord['skipped']);
  }

  get ids(): readonly string[] {
    this.#ids ??= this.#hashes(this.#idsAt, this.count);
    return this.#ids;
  }

  get contents(): readonly string[] {
    this.#contents ??= this.#readContents();
    return this.#contents;
  }

  /** How many children it has. */
  get count(): number {
    return this.#numbers[0] as number;
  }

  /** What a delta tells of its children: their ids, 32 bytes each, their kinds and their names, with a NUL between. */
  get children(): Uint8Array {
    const namesAt = this.#textAt + this.count + 1;
    return this.bytes.subarray(this.#idsAt, this.bytes.indexOf(0, namesAt));
  }

  get #hashesAt(): number {
    return (HEADER + this.count * NUMBERS) * BYTES;
  }

  get #idsAt(): number {
    return this.#hashesAt + (this.#numbers[3] as number) * HASH_BYTES;
  }

  get #textAt(): number {
    return this.#idsAt + this.count * HASH_BYTES;
  }

  #readContents(): readonly string[] {
    const hashes = this.#hashes(this.#hashesAt, this.counts.files);
    const targets = listOf(this.#text(6));
    let [file, link] = [0, 0];
    return Array.from(this.kinds, (kind) => {
      if (kind === 'd') return '';
      return (kind === 'l' ? decodeURIComponent(targets[link++] as string) : hashes[file++]) as string;
    });
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

  #hashes(from: number, count: number): readonly string[] {
    const all = this.#buffer().toString('hex', from, from + count * HASH_BYTES);
    return all.match(/.{64}/g) ?? [];
  }

  #buffer(): Buffer {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

function listOf(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split('/');
}
