// A folder's record as bytes, made once, handed between threads and kept as they are. Numbers first (see the header), then a
// stamp for each child, a text, the ids of the children and the hashes of the files, 32 bytes each.
import type { FolderRecord, Stamp } from './types.ts';

const BYTES = 8;
const NUMBERS = 4;
/** Children, bytes of the text, ignore files, files, links, size of all files, and the stamp of the folder itself. */
const HEADER = 6 + NUMBERS;
const HASH_BYTES = 32;

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

/**
 * The bytes of a record; the length is a multiple of eight. It runs in worker threads as the text that it is, so it uses
 * nothing else.
 */
export function packFolder(folder: FolderTexts): Uint8Array {
  const header = 10;
  const word = 8;
  const hash = 32;
  const { kinds, stamp, stamps } = folder;
  const count = kinds.length;
  const about = `${folder.id}\0${folder.rules}\0${kinds}\0${folder.names}`;
  const text = `${about}\0${folder.leftOut}\0${folder.skipped}\0${folder.targets}`;
  const textLength = Buffer.byteLength(text);
  const textAt = (header + count * 4) * word;
  const idsAt = textAt + textLength;
  const length = idsAt + count * hash + folder.hashes.length / 2;
  const memory = new ArrayBuffer(Math.ceil(length / word) * word);
  const numbers = new Float64Array(memory);
  let files = 0;
  let links = 0;
  let size = 0;
  for (let at = 0; at < count; at++) {
    if (kinds[at] === 'l') links += 1;
    else if (kinds[at] !== 'd') {
      files += 1;
      size += stamps[at * 4] as number;
    }
  }
  numbers[0] = count;
  numbers[1] = textLength;
  numbers[2] = folder.ignoreFiles;
  numbers[3] = files;
  numbers[4] = links;
  numbers[5] = size;
  numbers.set(stamp, 6);
  numbers.set(stamps, header);
  const bytes = Buffer.from(memory);
  bytes.write(text, textAt);
  bytes.write(folder.ids, idsAt, 'hex');
  bytes.write(folder.hashes, idsAt + count * hash, 'hex');
  return bytes;
}

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
    const bytes = packFolder({
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
    return new PackedFolder(folder.path, bytes);
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
    return this.#numbers.subarray(HEADER, HEADER + this.#count * NUMBERS);
  }

  get id(): string {
    return this.#text(0);
  }

  get rules(): string {
    return this.#text(1);
  }

  get kinds(): string {
    return this.#text(2);
  }

  /** The names with a slash between them. */
  get joinedNames(): string {
    return this.#text(3);
  }

  get names(): readonly string[] {
    this.#names ??= this.#count === 0 ? [] : this.joinedNames.split('/');
    return this.#names;
  }

  get leftOut(): readonly string[] {
    return listOf(this.#text(4));
  }

  get skipped(): FolderRecord['skipped'] {
    const text = this.#text(5);
    return text === '' ? [] : (JSON.parse(text) as FolderRecord['skipped']);
  }

  get ids(): readonly string[] {
    this.#ids ??= this.#hashes(0, this.#count);
    return this.#ids;
  }

  get contents(): readonly string[] {
    this.#contents ??= this.#readContents();
    return this.#contents;
  }

  get #count(): number {
    return this.#numbers[0] as number;
  }

  get #textLength(): number {
    return this.#numbers[1] as number;
  }

  #readContents(): readonly string[] {
    const hashes = this.#hashes(this.#count, this.counts.files);
    const targets = listOf(this.#text(6));
    let [file, link] = [0, 0];
    return Array.from(this.kinds, (kind) => {
      if (kind === 'd') return '';
      return (kind === 'l' ? decodeURIComponent(targets[link++] as string) : hashes[file++]) as string;
    });
  }

  #text(at: number): string {
    if (this.#texts === undefined) {
      const from = (HEADER + this.#count * NUMBERS) * BYTES;
      this.#texts = this.#buffer()
        .toString('utf8', from, from + this.#textLength)
        .split('\0');
    }
    return this.#texts[at] as string;
  }

  #hashes(from: number, count: number): readonly string[] {
    const begin = (HEADER + this.#count * NUMBERS) * BYTES + this.#textLength + from * HASH_BYTES;
    return (
      this.#buffer()
        .toString('hex', begin, begin + count * HASH_BYTES)
        .match(/.{64}/g) ?? []
    );
  }

  #buffer(): Buffer {
    const { buffer, byteOffset, byteLength } = this.bytes;
    return Buffer.from(buffer, byteOffset, byteLength);
  }
}

function listOf(joined: string): readonly string[] {
  return joined === '' ? [] : joined.split('/');
}
