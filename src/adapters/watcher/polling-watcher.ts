import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import { digestOfJson, isOkaError } from '../../kernel/index.ts';
import type { Files } from '../../tools/index.ts';

/** What changed between two looks. */
export interface TreeChange {
  /** For each of the roots that changed, one path beneath it. */
  readonly paths: readonly string[];
  /** Tells this change from every other, also from one that leads back to an earlier content. */
  readonly digest: string;
}

/** Notices changes beneath parts of the workspace. */
export interface TreeWatcher {
  /** The root that a person means by a path, relative to the workspace; rejects for one outside it. */
  locate(path: string): Promise<string>;
  /**
   * What changed beneath the roots since the last call; undefined when nothing did. A root that the last call did not
   * name is only remembered as it is. Rejects for a root outside the workspace; one where nothing stands is empty.
   */
  changes(roots: readonly string[]): Promise<TreeChange | undefined>;
  /** Has this called soon after something may have changed, where the system tells; a call of `changes` finds it. */
  onNotice(callback: () => void): void;
  /** Lets go of what the system holds for it. */
  close(): Promise<void>;
}

interface Seen {
  readonly bytes: number;
  readonly modifiedAt: number;
  /** The digest of the content; unknown until the file is touched for the first time. */
  readonly content?: string;
}

const LARGEST_READ_BYTES = 8 * 1_048_576;

/**
 * Looks at size and time of every file at each call, and reads a file only when these differ. So a file that is written
 * anew with the content that it had counts as changed at most once, and later not at all; files above 8 MiB are not
 * read and count as changed whenever they are written.
 */
export class PollingWatcher implements TreeWatcher {
  readonly #files: Files;
  readonly #workspace: string;
  #roots: readonly string[] = [];
  #seen = new Map<string, Seen>();
  #last = '';

  /** `workspace` is the folder that `files` are the files of. */
  constructor(files: Files, workspace: string) {
    this.#files = files;
    this.#workspace = workspace;
  }

  async locate(path: string): Promise<string> {
    const inside = await this.#files.locate(path, 'read');
    return inside === '.' ? '' : inside;
  }

  /** Nobody tells it anything. */
  onNotice(): void {}

  async close(): Promise<void> {}

  async changes(roots: readonly string[]): Promise<TreeChange | undefined> {
    const now = new Map<string, Seen>();
    const changed: { path: string; was: Seen | null; is: Seen | null }[] = [];
    for (const root of outermost(roots)) {
      for await (const { path, bytes } of this.#below(root)) {
        const modifiedAt = await this.#modifiedAt(path);
        if (modifiedAt === undefined) continue;
        const was = this.#seen.get(path);
        const known = was !== undefined || this.#roots.some((old) => liesWithin(path, old));
        const is = known ? await this.#look(path, { bytes, modifiedAt }, was) : { bytes, modifiedAt };
        now.set(path, is);
        if (known && !sameContent(was, is)) changed.push({ path, was: was ?? null, is });
      }
    }
    for (const [path, was] of this.#seen) {
      const gone = !now.has(path) && roots.some((root) => liesWithin(path, root));
      if (gone) changed.push({ path, was, is: null });
    }
    this.#seen = now;
    this.#roots = [...roots];
    if (changed.length === 0) return undefined;
    this.#last = digestOfJson([this.#last, changed as never]);
    const touched = roots.map((root) => changed.find(({ path }) => liesWithin(path, root))?.path);
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

  async #look(path: string, found: Seen, was: Seen | undefined): Promise<Seen> {
    if (was?.bytes === found.bytes && was.modifiedAt === found.modifiedAt) return was;
    if (found.bytes > LARGEST_READ_BYTES) return found;
    const content = await this.#files.digest(path).catch(() => undefined);
    return content === undefined ? found : { ...found, content };
  }

  /** Undefined when it has just gone. */
  async #modifiedAt(path: string): Promise<number | undefined> {
    const found = await lstat(join(this.#workspace, path)).catch(() => undefined);
    return found?.mtimeMs;
  }
}

function sameContent(was: Seen | undefined, is: Seen): boolean {
  if (was === undefined) return false;
  if (was.content !== undefined && is.content !== undefined) return was.content === is.content;
  return was.bytes === is.bytes && was.modifiedAt === is.modifiedAt;
}

/** The roots that lie in no other, each once. */
export function outermost(roots: readonly string[]): readonly string[] {
  const distinct = [...new Set(roots)];
  return distinct.filter((root) => !distinct.some((other) => other !== root && liesWithin(root, other)));
}

function liesWithin(path: string, root: string): boolean {
  return root === '' || path === root || path.startsWith(`${root}/`);
}
