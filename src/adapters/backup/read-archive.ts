// Owns: reading an archive, which is untrusted input. Every entry is compared with the manifest; faults are collected, not
// thrown, so that one pass reports all of them.
// I1 Only the manifest is held in memory. I2 No path of the archive is used unless the manifest may name it.
import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { pipeline } from 'node:stream/promises';
import { createGunzip } from 'node:zlib';
import { type Extract, type Headers, extract as startExtract } from 'tar-stream';
import { OkaError, startDigest } from '../../kernel/index.ts';
import { isSeal, readSeal, sealOf } from './archive-seal.ts';
import { type BackupErrorCode, type BackupFault, FaultList, toBackupError } from './backup-error.ts';
import { type BackupEntry, type BackupManifest, MANIFEST, parseManifest } from './manifest.ts';

const MAX_MANIFEST_BYTES = 256 * 1024 * 1024;
/** Bytes beyond the announced entries: buffers, and the padding at the end of the archive. */
const READ_AHEAD_BYTES = 1024 * 1024;
/** The best ratio of deflate. An archive that promises more bytes is rejected before it is read. */
const MAX_RATIO = 1_040;
const TAR_BLOCK = 512;

/** Receives the content of an entry. */
export interface EntrySink {
  write(chunk: Uint8Array): Promise<void>;
  /** Called after the last write, also when reading fails. */
  close(): Promise<void>;
}

export interface ArchiveReader {
  /** Called once, before any entry. */
  readonly onManifest?: (manifest: BackupManifest) => Promise<void>;
  /** Where the content of an entry goes; undefined to check it only. */
  readonly open?: (entry: BackupEntry) => Promise<EntrySink | undefined>;
  readonly onBytes?: (read: number, total: number) => void;
  readonly signal?: AbortSignal | undefined;
}

export interface ArchiveReport {
  readonly bytes: number;
  readonly manifest: BackupManifest | undefined;
  readonly faults: readonly BackupFault[];
}

type TarEntry = AsyncIterable<Uint8Array> & { readonly header: Headers };

/** Reads a whole archive and reports every fault. Throws when the file cannot be read, or the reader throws. */
export async function readArchive(file: string, reader: ArchiveReader): Promise<ArchiveReport> {
  const bytes = await sizeOf(file);
  const { seal, before } = await readSeal(file);
  const faults = new FaultList();
  const sealed = isSeal(seal);
  if (!sealed) faults.add('archive', 'is cut off, or is not a backup: it does not end with a seal');
  const running = startDigest();
  const reading = new ArchiveEntries(bytes, reader, faults);
  const extract = startExtract();
  const feeding = pipeline(
    createReadStream(file, sealed ? { end: before - 1 } : {}),
    async function* (chunks: AsyncIterable<Buffer>) {
      for await (const chunk of chunks) {
        running.update(chunk);
        yield chunk;
      }
    },
    createGunzip(),
    reading.limit,
    extract,
    reader.signal === undefined ? {} : { signal: reader.signal },
  ).then(
    () => undefined,
    (error: unknown) => error,
  );
  const stopped = await reading.readAll(extract);
  // If both failed, the error of the feeding is the cause.
  const fed = await feeding;
  const failed = reading.isRefused ? undefined : (fed ?? stopped);
  const error = reading.thrown ?? systemError(failed);
  if (error !== undefined) throw toBackupError(error, file);
  if (failed !== undefined) faults.add('archive', `cannot be read to its end: ${(failed as Error).message}`);
  else if (sealed && !reading.isRefused && !sealOf(running.end()).equals(seal))
    faults.add('archive', 'does not match its seal');
  reading.reportMissing();
  return { bytes, manifest: reading.manifest, faults: faults.list() };
}

async function sizeOf(file: string): Promise<number> {
  const found = await stat(file).catch(() => undefined);
  if (found?.isFile()) return found.size;
  throw new OkaError<BackupErrorCode>(
    'backup.not_found',
    `No backup file ${file}. Check the path, or make one with: oka backup create FILE.`,
    { data: { file } },
  );
}

/** An error of the system, which is no fault of the archive. */
function systemError(error: unknown): unknown {
  const { code, name } = (error ?? {}) as NodeJS.ErrnoException;
  return name === 'AbortError' || /^E[A-Z]+$/.test(code ?? '') ? error : undefined;
}

/** The entries of one archive while they are read. */
class ArchiveEntries {
  manifest: BackupManifest | undefined;
  /** What the reader threw. */
  thrown: unknown;
  /** The manifest cannot be used, so nothing after it was read. */
  isRefused = false;
  readonly #size: number;
  readonly #reader: ArchiveReader;
  readonly #faults: FaultList;
  readonly #expected = new Map<string, BackupEntry>();
  readonly #seen = new Set<string>();
  #announced = READ_AHEAD_BYTES;
  #read = 0;
  #total = 0;

  constructor(size: number, reader: ArchiveReader, faults: FaultList) {
    this.#size = size;
    this.#reader = reader;
    this.#faults = faults;
  }

  /** Stops an archive that hides bytes between its entries: the tar library would keep them in memory. */
  readonly limit = async function* (this: ArchiveEntries, chunks: AsyncIterable<Buffer>) {
    let passed = 0;
    for await (const chunk of chunks) {
      passed += chunk.length;
      if (passed > this.#announced) throw new Error('it holds more bytes than its entries announce');
      yield chunk;
    }
  }.bind(this);

  /** Returns the error that stopped the reading before its end. */
  async readAll(extract: Extract): Promise<unknown> {
    try {
      for await (const entry of extract as AsyncIterable<TarEntry>) {
        const { size = 0 } = entry.header;
        this.#announced += 2 * TAR_BLOCK + size;
        if (this.manifest !== undefined) await this.#checkEntry(entry);
        else if (!(await this.#readManifest(entry))) {
          this.isRefused = true;
          break;
        }
      }
      return undefined;
    } catch (error) {
      return error;
    } finally {
      extract.destroy();
    }
  }

  reportMissing(): void {
    for (const path of this.#expected.keys()) if (!this.#seen.has(path)) this.#faults.add(path, 'is missing');
  }

  async #readManifest(entry: TarEntry): Promise<boolean> {
    const { name, type, size = 0 } = entry.header;
    if (name !== MANIFEST || type !== 'file' || size > MAX_MANIFEST_BYTES) {
      this.#faults.add('archive', `does not begin with ${MANIFEST}`);
      return false;
    }
    const chunks: Uint8Array[] = [];
    for await (const chunk of entry) chunks.push(chunk);
    const parsed = await this.#calling(async () => parseManifest(Buffer.concat(chunks)));
    const what = typeof parsed === 'string' ? parsed : this.#impossible(parsed);
    if (what !== undefined) {
      this.#faults.add(MANIFEST, what);
      return false;
    }
    const manifest = parsed as BackupManifest;
    for (const one of manifest.entries) this.#expected.set(one.path, one);
    this.manifest = manifest;
    await this.#calling(async () => this.#reader.onManifest?.(manifest));
    return true;
  }

  #impossible({ entries }: BackupManifest): string | undefined {
    this.#total = entries.reduce((sum, { bytes }) => sum + bytes, 0);
    if (this.#total <= this.#size * MAX_RATIO) return undefined;
    return `promises ${this.#total} bytes, which cannot fit into ${this.#size} bytes of archive`;
  }

  async #checkEntry(entry: TarEntry): Promise<void> {
    const { name, type, size } = entry.header;
    const expected = this.#expected.get(name);
    let what: string | undefined;
    if (expected === undefined) what = 'is not named by the manifest';
    else if (this.#seen.has(name)) what = 'is there twice';
    else if (type !== 'file') what = `is a ${type ?? 'thing of another type'}, not a file`;
    else if (((entry.header.mode ?? 0) & 0o7000) !== 0) what = 'has a mode that a backup never holds';
    else if (size !== expected.bytes) what = `has ${size} bytes instead of ${expected.bytes}`;
    if (expected !== undefined) this.#seen.add(name);
    if (what !== undefined) this.#faults.add(name, what);
    const open = async () => this.#reader.open?.(expected as BackupEntry);
    const sink = what === undefined ? await this.#calling(open) : undefined;
    const running = startDigest();
    try {
      for await (const chunk of entry) {
        running.update(chunk);
        this.#read += chunk.length;
        this.#reader.onBytes?.(this.#read, this.#total);
        if (sink) await this.#calling(() => sink.write(chunk));
      }
    } finally {
      if (sink) await this.#calling(() => sink.close());
    }
    if (what === undefined && running.end() !== expected?.digest)
      this.#faults.add(name, 'does not have the digest that the manifest names');
  }

  /** Records what the reader throws, to distinguish it from faults of the archive. */
  async #calling<T>(work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      this.thrown = error;
      throw error;
    }
  }
}
