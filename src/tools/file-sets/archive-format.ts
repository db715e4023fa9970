// Owns: zip and tar archives as bytes. I1 Nothing is believed that an archive says about itself: names, sizes and checksums
// are checked, and nothing is unpacked beyond the limits.
import { promisify } from 'node:util';
import { gunzip, gzip, inflateRaw, crc32 as zlibCrc32 } from 'node:zlib';
import { Zip, ZipDeflate } from 'fflate';
import { extract, pack } from 'tar-stream';
import { OkaError } from '../../kernel/index.ts';
import type { ToolsErrorCode } from '../errors.ts';

export type ArchiveFormat = 'zip' | 'tar' | 'tar.gz';

export interface ArchivedFile {
  /** The path in the archive. */
  readonly name: string;
  readonly content: Uint8Array;
  readonly modifiedAt?: number;
  readonly mode?: number;
}

export interface ReadArchive {
  readonly files: readonly ArchivedFile[];
  readonly folders: readonly string[];
  /** Links and other entries that are not unpacked. */
  readonly skipped: readonly string[];
}

const MAX_ENTRIES = 10_000;
/** The maximum size of everything in an archive. */
const MAX_UNPACKED_BYTES = 256 * 1024 * 1024;
const EARLIEST_IN_ZIP = Date.UTC(1980, 0, 2);

/** The format that the name of an archive says; undefined if it is none. */
export function formatOf(path: string): ArchiveFormat | undefined {
  if (/\.zip$/i.test(path)) return 'zip';
  if (/\.(?:tar\.gz|tgz)$/i.test(path)) return 'tar.gz';
  return /\.tar$/i.test(path) ? 'tar' : undefined;
}

/** The bytes of an archive. The same files give the same bytes. */
export async function writeArchive(
  format: ArchiveFormat,
  files: readonly ArchivedFile[],
): Promise<Uint8Array> {
  if (format === 'zip') return writeZip(files);
  const tar = await writeTar(files);
  return format === 'tar' ? tar : promisify(gzip)(tar);
}

export async function readArchive(format: ArchiveFormat, bytes: Uint8Array): Promise<ReadArchive> {
  try {
    if (format === 'zip') return await readZip(bytes);
    const tar =
      format === 'tar' ? bytes : await promisify(gunzip)(bytes, { maxOutputLength: MAX_UNPACKED_BYTES * 2 });
    return await readTar(tar);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw tooLarge();
    if (error instanceof OkaError) throw error;
    throw damaged(error instanceof Error ? error.message : String(error));
  }
}

async function writeZip(files: readonly ArchivedFile[]): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  let failure: Error | undefined;
  const zip = new Zip((error, chunk) => {
    if (error) failure = error;
    else chunks.push(chunk);
  });
  for (const { name, content, modifiedAt = EARLIEST_IN_ZIP, mode = 0o644 } of files) {
    const entry = new ZipDeflate(name, { level: 6 });
    entry.mtime = new Date(Math.max(modifiedAt, EARLIEST_IN_ZIP));
    // The upper half holds the mode of Unix systems: a regular file with these permissions.
    entry.os = 3;
    entry.attrs = ((0o100000 | mode) << 16) >>> 0;
    zip.add(entry);
    entry.push(content, true);
    // Other work gets its turn between two files.
    await new Promise((resolve) => setImmediate(resolve));
  }
  zip.end();
  if (failure) throw failure;
  return Buffer.concat(chunks);
}

async function writeTar(files: readonly ArchivedFile[]): Promise<Uint8Array> {
  const tar = pack();
  const chunks: Uint8Array[] = [];
  const reading = (async () => {
    for await (const chunk of tar) chunks.push(chunk as Uint8Array);
  })();
  for (const { name, content, modifiedAt = 0, mode = 0o644 } of files)
    tar.entry({ name, mode, mtime: new Date(modifiedAt), size: content.length }, Buffer.from(content));
  tar.finalize();
  await reading;
  return Buffer.concat(chunks);
}

async function readTar(bytes: Uint8Array): Promise<ReadArchive> {
  const found = new Entries();
  const reading = extract();
  const fed = new Promise<void>((resolve, reject) => {
    reading.on('error', reject);
    reading.on('finish', resolve);
  });
  reading.end(Buffer.from(bytes));
  const read = (async () => {
    for await (const entry of reading) {
      const { name, type, size = 0, mode, mtime } = entry.header;
      const declared = found.start(name, type === 'file' ? size : 0);
      const chunks: Uint8Array[] = [];
      for await (const chunk of entry) chunks.push(chunk as Uint8Array);
      if (type === 'directory') found.folder(declared);
      else if (type !== 'file') found.skipped.push(declared);
      else found.file(declared, Buffer.concat(chunks), { mode, modifiedAt: mtime?.getTime() });
    }
  })();
  await Promise.all([read, fed]);
  if (found.count === 0) throw damaged('it has no entries');
  return found;
}

const END_OF_DIRECTORY = 0x06054b50;
const DIRECTORY_ENTRY = 0x02014b50;
const LOCAL_ENTRY = 0x04034b50;

/**
 * Reads a zip by its central directory. fflate reads neither checksums nor the modes that tell links from files, so its
 * reader cannot be used for archives that others made.
 */
async function readZip(bytes: Uint8Array): Promise<ReadArchive> {
  const data = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const found = new Entries();
  let { at, count } = findDirectory(data);
  for (; count > 0; count--) {
    if (data.readUInt32LE(at) !== DIRECTORY_ENTRY) throw damaged('its directory is cut off');
    const lengths = [28, 30, 32].map((offset) => data.readUInt16LE(at + offset)) as [number, number, number];
    const nameBytes = data.subarray(at + 46, at + 46 + lengths[0]);
    const entry = {
      flags: data.readUInt16LE(at + 8),
      method: data.readUInt16LE(at + 10),
      crc: data.readUInt32LE(at + 16),
      packed: data.readUInt32LE(at + 20),
      size: data.readUInt32LE(at + 24),
      mode: data.readUInt8(at + 5) === 3 ? data.readUInt32LE(at + 38) >>> 16 : 0,
      start: data.readUInt32LE(at + 42),
    };
    at += 46 + lengths[0] + lengths[1] + lengths[2];
    const name = found.start(nameOf(nameBytes), entry.size);
    const kind = entry.mode & 0o170000;
    if (name.endsWith('/') || nameBytes.at(-1) === 0x2f) found.folder(name);
    else if (kind !== 0 && kind !== 0o100000) found.skipped.push(name);
    else found.file(name, await contentOf(data, entry, name), { mode: entry.mode & 0o777 || undefined });
  }
  return found;
}

/** Where the directory of a zip starts, and how many entries it has. */
function findDirectory(data: Buffer): { at: number; count: number } {
  for (let end = data.length - 22; end >= Math.max(0, data.length - 22 - 65_535); end--) {
    if (data.readUInt32LE(end) !== END_OF_DIRECTORY) continue;
    const [count, at] = [data.readUInt16LE(end + 10), data.readUInt32LE(end + 16)];
    if (at === 0xffffffff || count === 0xffff) throw tooLarge();
    return { at, count };
  }
  throw damaged('it is not a zip file');
}

interface ZipEntry {
  readonly flags: number;
  readonly method: number;
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  readonly start: number;
}

async function contentOf(data: Buffer, entry: ZipEntry, name: string): Promise<Uint8Array> {
  const { flags, method, crc, packed, size, start } = entry;
  if (flags & 1) throw damaged(`${name} is encrypted`);
  if (data.readUInt32LE(start) !== LOCAL_ENTRY) throw damaged(`${name} is not where its directory says`);
  const from = start + 30 + data.readUInt16LE(start + 26) + data.readUInt16LE(start + 28);
  const raw = data.subarray(from, from + packed);
  if (method !== 0 && method !== 8) throw damaged(`${name} is packed in an unknown way`);
  const content =
    method === 0
      ? raw
      : size === 0
        ? Buffer.alloc(0)
        : await promisify(inflateRaw)(raw, { maxOutputLength: size });
  if (content.length !== size || zlibCrc32(content) !== crc)
    throw damaged(`${name} does not match its checksum`);
  return content;
}

/** Names without the flag for UTF-8 are mostly UTF-8 anyway. */
function nameOf(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder('latin1').decode(bytes);
  }
}

/** The entries of an archive, checked as they are found. */
class Entries implements ReadArchive {
  readonly files: ArchivedFile[] = [];
  readonly folders: string[] = [];
  readonly skipped: string[] = [];
  readonly #names = new Set<string>();
  #bytes = 0;

  get count(): number {
    return this.#names.size;
  }

  /** Checks the name and the size of an entry before its content is read. */
  start(name: string, size: number): string {
    const path = name.replace(/^(?:\.\/)+/, '').replace(/\/+$/, '');
    this.#bytes += size;
    if (this.#bytes > MAX_UNPACKED_BYTES || this.#names.size === MAX_ENTRIES) throw tooLarge();
    const isOutside =
      path.startsWith('/') || /^[a-z]:/i.test(path) || path.split('/').some((part) => part === '..');
    // biome-ignore lint/suspicious/noControlCharactersInRegex: such names are refused.
    if (isOutside || /[\\\u0000-\u001f]/.test(path)) throw unsafe(path);
    if (this.#names.has(path) && path !== '') throw damaged(`it has two entries for ${path}`);
    this.#names.add(path);
    return path;
  }

  folder(path: string): void {
    if (path !== '' && path !== '.') this.folders.push(path);
  }

  file(
    name: string,
    content: Uint8Array,
    { mode, modifiedAt }: { mode?: number | undefined; modifiedAt?: number | undefined },
  ): void {
    // macOS adds its own files to archives.
    if (/^__MACOSX\//.test(name) || name === '') this.skipped.push(name);
    else
      this.files.push({
        name,
        content,
        ...(mode !== undefined && { mode: mode & 0o777 }),
        ...(modifiedAt !== undefined && { modifiedAt }),
      });
  }
}

function tooLarge(): OkaError<ToolsErrorCode> {
  const message = `The archive holds more than ${MAX_ENTRIES} entries or ${MAX_UNPACKED_BYTES} bytes. Nothing was unpacked.`;
  return new OkaError<ToolsErrorCode>('files.too_large', message);
}

function unsafe(name: string): OkaError<ToolsErrorCode> {
  const message = `The archive has an entry outside its own folder (${JSON.stringify(name.slice(0, 100))}). Nothing was unpacked.`;
  return new OkaError<ToolsErrorCode>('files.outside_workspace', message);
}

function damaged(why: string): OkaError<ToolsErrorCode> {
  return new OkaError<ToolsErrorCode>(
    'files.io_failed',
    `The archive cannot be read: ${why}. Nothing was unpacked.`,
  );
}
