import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfJson, isOkaError } from '../../kernel/index.ts';
import type { Files } from '../../tools/index.ts';

/** The changes between two scans. */
export interface TreeChange {
  /** One changed path for each changed root. */
  readonly paths: readonly string[];
  /** Unique per change, even if it restores earlier content. */
  readonly digest: string;
}

/** Detects changes below workspace folders. */
export interface TreeWatcher {
  /** Resolves a path to a root, relative to the workspace; rejects for one outside it. */
  locate(path: string): Promise<string>;
  /**
   * The changes below the roots since the last call; undefined if there are none. A new root is only recorded. Rejects for a root
   * outside the workspace; a missing root counts as empty.
   */
  changes(roots: readonly string[]): Promise<TreeChange | undefined>;
  /** Calls back soon after a possible change, if the system reports it; `changes` then finds it. */
  onNotice(callback: () => void): void;
  /** Releases system resources. */
  close(): Promise<void>;
}

interface Seen {
  readonly bytes: number;
  readonly modifiedAt: number;
  /** The digest of the content; unknown until the first change. */
  readonly content?: string;
}

const MAX_READ_BYTES = 8 * 1_048_576;

/**
 * Compares size and time of every file at each call, and reads a file only if they differ. A rewrite with equal content therefore
 * counts as a change at most once; files above 8 MiB are not read and count as changed whenever they are written.
 */
export class PollingWatcher implements TreeWatcher {
  readonly #files: Files;
  readonly #workspace: string;
  #roots: readonly string[] = [];
  #seen = new Map<string, Seen>();
  #last = '';

  /** `workspace` is the root folder of `files`. */
  constructor(files: Files, workspace: string) {
    this.#files = files;
    this.#workspace = workspace;
  }

  async locate(path: string): Promise<string> {
    const inside = await this.#files.locate(path, 'read');
    return inside === '.' ? '' : inside;
  }

  /** Polling reports nothing. */
  onNotice(): void {}

  async close(): Promise<void> {}

  async changes(roots: readonly string[]): Promise<TreeChange | undefined> {
    const now = new Map<string, Seen>();
    const changed: { path: string; was: Seen | null; is: Seen | null }[] = [];
    for (const root of outermost(roots)) {
      for await (const { path, bytes } of this.#below(root)) {
        const modifiedAt = (await lstat(join(this.#workspace, path)).catch(() => undefined))?.mtimeMs;
        // The file was just removed.
        if (modifiedAt === undefined) continue;
        const was = this.#seen.get(path);
        const known = was !== undefined || this.#roots.some((old) => isWithin(path, old));
        const is = known ? await this.#inspect(path, { bytes, modifiedAt }, was) : { bytes, modifiedAt };
        now.set(path, is);
        if (known && !sameContent(was, is)) changed.push({ path, was: was ?? null, is });
      }
    }
    for (const [path, was] of this.#seen) {
      const gone = !now.has(path) && roots.some((root) => isWithin(path, root));
      if (gone) changed.push({ path, was, is: null });
    }
    this.#seen = now;
    this.#roots = [...roots];
    if (changed.length === 0) return undefined;
    this.#last = digestOfJson([this.#last, changed as never]);
    const touched = roots.map((root) => changed.find(({ path }) => isWithin(path, root))?.path);
    return { paths: [...new Set(touched.filter((path) => path !== undefined))], digest: this.#last };
  }

  async *#below(root: string): AsyncGenerator<{ readonly path: string; readonly bytes: number }> {
    const path = root === '' ? '.' : root;
    const entry = await this.#files.stat(path);
    if (entry?.kind === 'file') yield entry;
    if (entry?.kind !== 'directory') return;
    try {
      for await (const file of this.#files.walk(path)) if (file.kind === 'file') yield file;
    } catch (error) {
      if (!isOkaError(error, 'files.not_found') && !isOkaError(error, 'files.not_a_folder')) throw error;
    }
  }

  async #inspect(path: string, found: Seen, was: Seen | undefined): Promise<Seen> {
    if (was?.bytes === found.bytes && was.modifiedAt === found.modifiedAt) return was;
    if (found.bytes > MAX_READ_BYTES) return found;
    const content = await this.#files.digest(path).catch(() => undefined);
    return content === undefined ? found : { ...found, content };
  }
}

function sameContent(was: Seen | undefined, is: Seen): boolean {
  if (was === undefined) return false;
  if (was.content !== undefined && is.content !== undefined) return was.content === is.content;
  return was.bytes === is.bytes && was.modifiedAt === is.modifiedAt;
}

/** The roots that are not inside another one, each once. */
export function outermost(roots: readonly string[]): readonly string[] {
  const distinct = [...new Set(roots)];
  return distinct.filter((root) => !distinct.some((other) => other !== root && isWithin(root, other)));
}

function isWithin(path: string, root: string): boolean {
  return root === '' || path === root || path.startsWith(`${root}/`);
}
