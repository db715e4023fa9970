import type { FolderRecord, Stamp } from '../../context/index.ts';

// A folder's record as bytes: numbers first (see HEADER), the stamps, then two texts. The second, with ids and contents,
// is the longer one and is decoded only when it is asked for.

const NUMBERS = 4;
const BYTES = 8;
const ID_LENGTH = 64;
/** How many children, how many bytes the first text has, which ignore files, and the stamp of the folder itself. */
const HEADER = 3 + NUMBERS;

export function encodeFolder(folder: FolderRecord): Uint8Array {
  const { kinds, stamps, stamp } = folder;
  const first = Buffer.from(
    [
      folder.id,
      folder.rules,
      kinds,
      folder.names.join('/'),
      folder.leftOut.join('/'),
      folder.skipped.length === 0 ? '' : JSON.stringify(folder.skipped),
    ].join('\0'),
  );
  const contents = kinds.includes('l')
    ? folder.contents.map((content, at) => (kinds[at] === 'l' ? encodeURIComponent(content) : content))
    : folder.contents;
  const second = Buffer.from(`${folder.ids.join('')}${contents.join('/')}`, 'latin1');
  const numbers = new Float64Array(HEADER + stamps.length);
  numbers.set([kinds.length, first.length, folder.ignoreFiles]);
  numbers.set([stamp.size, stamp.modifiedAt, stamp.changedAt, stamp.inode], HEADER - NUMBERS);
  numbers.set(stamps, HEADER);
  return Buffer.concat([new Uint8Array(numbers.buffer), first, second]);
}

/** A record over its bytes. */
export class StoredFolder implements FolderRecord {
  readonly path: string;
  readonly id: string;
  readonly rules: string;
  readonly kinds: string;
  readonly stamp: Stamp;
  readonly stamps: Float64Array;
  readonly ignoreFiles: number;
  readonly names: readonly string[];
  readonly #leftOut: string;
  readonly #skipped: string;
  readonly #second: Uint8Array;
  #ids: readonly string[] | undefined;
  #contents: readonly string[] | undefined;

  constructor(path: string, bytes: Uint8Array) {
    const aligned = bytes.byteOffset % BYTES === 0 ? bytes : bytes.slice();
    const { buffer, byteOffset, byteLength } = aligned;
    const [count, length, ignoreFiles, size, modifiedAt, changedAt, inode] = new Float64Array(
      buffer,
      byteOffset,
      HEADER,
    ) as unknown as [number, number, number, number, number, number, number];
    const textAt = (HEADER + count * NUMBERS) * BYTES;
    const all = Buffer.from(buffer, byteOffset, byteLength);
    const first = all.toString('utf8', textAt, textAt + length).split('\0');
    const [id, rules, kinds, names, leftOut, skipped] = first as [
      string,
      string,
      string,
      string,
      string,
      string,
    ];
    this.path = path;
    this.id = id;
    this.rules = rules;
    this.kinds = kinds;
    this.names = count === 0 ? [] : names.split('/');
    this.ignoreFiles = ignoreFiles;
    this.stamp = { size, modifiedAt, changedAt, inode };
    this.stamps = new Float64Array(buffer, byteOffset + HEADER * BYTES, count * NUMBERS);
    this.#leftOut = leftOut;
    this.#skipped = skipped;
    this.#second = all.subarray(textAt + length);
  }

  get leftOut(): readonly string[] {
    return this.#leftOut === '' ? [] : this.#leftOut.split('/');
  }

  get skipped(): FolderRecord['skipped'] {
    return this.#skipped === '' ? [] : (JSON.parse(this.#skipped) as FolderRecord['skipped']);
  }

  get ids(): readonly string[] {
    this.#ids ??= this.#textOf(0, this.kinds.length * ID_LENGTH).match(/.{64}/g) ?? [];
    return this.#ids;
  }

  get contents(): readonly string[] {
    this.#contents ??= this.#readContents();
    return this.#contents;
  }

  #readContents(): readonly string[] {
    const { kinds } = this;
    if (kinds === '') return [];
    const fields = this.#textOf(kinds.length * ID_LENGTH).split('/');
    if (!kinds.includes('l')) return fields;
    return fields.map((field, at) => (kinds[at] === 'l' ? decodeURIComponent(field) : field));
  }

  #textOf(from: number, to?: number): string {
    return Buffer.from(this.#second.buffer, this.#second.byteOffset, this.#second.byteLength).toString(
      'latin1',
      from,
      to,
    );
  }
}
