// Owns: noting what the tools of a call see and change of the files of the workspace.
// I1 Every name that a tool gets from a listing, and every path that it changes, passes here, so no tool has to note it.
import { basename, dirname } from 'node:path/posix';
import type { ContentOrigins, ContentWritten, WatchCall } from '../engine/index.ts';
import { type Digest, digestOf } from '../kernel/index.ts';
import type {
  FileContent,
  FileEntry,
  FileListing,
  Files,
  FileVersion,
  ListOptions,
  PathState,
  WalkOptions,
} from './ports.ts';

/** How many names are looked up at once. */
const BATCH = 2_000;

type Call = Parameters<WatchCall>[1];

/** Capabilities whose files note what a call sees and changes. */
export const watchFiles: WatchCall = (capabilities, call) => {
  const { files, content } = capabilities as { readonly files?: Files; readonly content?: ContentOrigins };
  if (files === undefined || content === undefined) return capabilities;
  return { ...capabilities, files: new WatchedFiles(files, content, call) };
};

class WatchedFiles implements Files {
  readonly #files: Files;
  readonly #origins: ContentOrigins;
  readonly #call: Call;

  constructor(files: Files, origins: ContentOrigins, call: Call) {
    this.#files = files;
    this.#origins = origins;
    this.#call = call;
  }

  locate(path: string, purpose: 'read' | 'write'): Promise<string> {
    return this.#files.locate(path, purpose);
  }

  stat(path: string): Promise<FileEntry | undefined> {
    return this.#files.stat(path);
  }

  read(...call: Parameters<Files['read']>): Promise<FileContent> {
    return this.#files.read(...call);
  }

  state(...call: Parameters<Files['state']>): Promise<PathState | undefined> {
    return this.#files.state(...call);
  }

  async place(...call: Parameters<Files['place']>): Promise<void> {
    const [path, state, options] = call;
    if (options?.repository) return this.#files.place(...call);
    const target = await this.#files.locate(path, 'write');
    if (state === undefined) {
      await this.#files.place(...call);
      return this.#note({ path: target, place: { made: [], gone: true } });
    }
    this.#note({ path: target, place: { made: await this.#missing(target) } });
    return this.#files.place(...call);
  }

  digest(path: string): Promise<Digest | undefined> {
    return this.#files.digest(path);
  }

  pieces(path: string): AsyncIterable<Uint8Array> {
    return this.#files.pieces(path);
  }

  async list(path: string, options: ListOptions): Promise<FileListing> {
    const listing = await this.#files.list(path, options);
    const { entries, unreadable, skipped = [] } = listing;
    await this.#noteNames([...entries.map((entry) => entry.path), ...unreadable, ...skipped]);
    return listing;
  }

  async *walk(path: string, options?: WalkOptions): AsyncGenerator<FileEntry> {
    let seen: string[] = [];
    try {
      for await (const entry of this.#files.walk(path, options)) {
        seen.push(entry.path);
        yield entry;
        if (seen.length < BATCH) continue;
        await this.#noteNames(seen);
        seen = [];
      }
    } finally {
      await this.#noteNames(seen);
    }
  }

  async writeAtomic(
    path: string,
    content: string | Uint8Array,
    options?: { readonly mode?: number; readonly modifiedAt?: number },
  ): Promise<FileVersion> {
    await this.#noteWrite(await this.#files.locate(path, 'write'), digestOf(content));
    return this.#files.writeAtomic(path, content, options as Parameters<Files['writeAtomic']>[2]);
  }

  async move(from: string, to: string): Promise<string> {
    const source = await this.#files.locate(from, 'write');
    await this.#noteCopy(source, to);
    const moved = await this.#files.move(from, to);
    this.#note({ path: source, place: { made: [], gone: true } });
    return moved;
  }

  async copy(from: string, to: string): Promise<FileVersion> {
    await this.#noteCopy(await this.#files.locate(from, 'read'), to);
    return this.#files.copy(from, to);
  }

  async makeFolder(path: string): Promise<void> {
    const target = await this.#files.locate(path, 'write');
    this.#note({ path: target, place: { made: await this.#missing(target) } });
    return this.#files.makeFolder(path);
  }

  async remove(path: string): Promise<void> {
    const target = await this.#files.locate(path, 'write');
    await this.#files.remove(path);
    this.#note({ path: target, place: { made: [], gone: true } });
  }

  #note(written: ContentWritten): void {
    this.#call.noteWrite?.(written);
  }

  /** Noted before the write, so that a write that fails half-way is noted too. */
  async #noteWrite(path: string, digest: Digest): Promise<void> {
    const made = await this.#missing(path);
    const before =
      this.#call.isUntrusted() && made.length === 0 ? await this.#trustedDigest(path) : undefined;
    this.#note({ path, digest, place: { made, before } });
  }

  async #noteCopy(source: string, to: string): Promise<void> {
    const path = await this.#files.locate(to, 'write');
    const digest = await this.#files.digest(source);
    const carried = (await this.#origins.untrustedFile(source, digest)) !== undefined;
    this.#note({ path, place: { made: await this.#missing(path), carried } });
  }

  async #trustedDigest(path: string): Promise<Digest | undefined> {
    const digest = await this.#files.digest(path);
    if (digest === undefined) return undefined;
    return (await this.#origins.untrustedFile(path, digest)) === undefined ? digest : undefined;
  }

  /** The names of a path that do not exist yet. */
  async #missing(path: string): Promise<string[]> {
    const names: string[] = [];
    for (let at = path; at !== '.' && at !== '/'; at = dirname(at)) {
      if ((await this.#files.stat(at)) !== undefined) break;
      names.push(basename(at));
    }
    return names;
  }

  async #noteNames(paths: readonly string[]): Promise<void> {
    if (paths.length === 0 || this.#call.noteNames === undefined) return;
    const untrusted = await this.#origins.untrustedNames(paths);
    if (untrusted.size > 0) this.#call.noteNames(untrusted);
  }
}
