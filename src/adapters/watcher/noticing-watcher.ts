// Owns: when to look for changes. Does not own: what a change is; the watcher that looks says so.
// I1 What the system tells while a look is under way makes the next one due. I2 Where the system cannot tell of one of the
// roots, every call looks.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { type FolderWatch, watchFolder } from './folder-watch.ts';
import { outermost, type TreeChange, type TreeWatcher } from './polling-watcher.ts';

/** Writes that follow each other this closely are looked at together. */
const SETTLES_AFTER_MS = 100;
/** Some file systems tell nothing of what others do in them. */
const LOOKS_ANYWAY_AFTER_MS = 60_000;
const NEVER_WATCHED = ['.git', '.oka'];

export interface NoticingWatcherParts {
  /** Looks, when a look is due. */
  readonly watcher: TreeWatcher;
  /** The folder that its paths are relative to. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Lets the system tell of changes; rejects where it cannot. */
  readonly watch?: typeof watchFolder;
}

/** Looks only when the system has told of a change beneath the roots, and once a minute; always where the system cannot tell. */
export class NoticingWatcher implements TreeWatcher {
  readonly #parts: NoticingWatcherParts;
  #watches: readonly FolderWatch[] = [];
  /** The roots as they stood when the system was asked to tell of them; undefined when it cannot. */
  #watched: string | undefined;
  #isDue = true;
  #lookedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #onNotice: () => void = () => undefined;

  constructor(parts: NoticingWatcherParts) {
    this.#parts = parts;
  }

  locate(path: string): Promise<string> {
    return this.#parts.watcher.locate(path);
  }

  onNotice(callback: () => void): void {
    this.#onNotice = callback;
  }

  async changes(roots: readonly string[]): Promise<TreeChange | undefined> {
    await this.#watchAll(outermost(roots));
    const now = this.#parts.clock.now();
    const canTell = this.#watched !== undefined;
    // A clock that was put back must not put off the next look.
    const isRecent = now >= this.#lookedAt && now - this.#lookedAt < LOOKS_ANYWAY_AFTER_MS;
    if (canTell && !this.#isDue && isRecent) return undefined;
    this.#isDue = false;
    this.#lookedAt = now;
    try {
      return await this.#parts.watcher.changes(roots);
    } catch (error) {
      this.#isDue = true;
      throw error;
    }
  }

  async close(): Promise<void> {
    this.#onNotice = () => undefined;
    await this.#unwatch();
    await this.#parts.watcher.close();
  }

  async #watchAll(roots: readonly string[]): Promise<void> {
    const stand = await this.#standOf(roots);
    if (stand === this.#watched && stand !== undefined) return;
    await this.#unwatch();
    this.#isDue = true;
    if (stand === undefined) return;
    const watches: FolderWatch[] = [];
    try {
      for (const root of roots) watches.push(await this.#watch(root));
      this.#watches = watches;
      this.#watched = stand;
    } catch {
      await Promise.all(watches.map((watch) => watch.close()));
    }
  }

  /** Which folders the roots are now; undefined when one is no folder, which the system cannot tell of. */
  async #standOf(roots: readonly string[]): Promise<string | undefined> {
    const found = await Promise.all(
      roots.map((root) => lstat(join(this.#parts.workspace, root)).catch(() => undefined)),
    );
    if (!found.every((root) => root?.isDirectory())) return undefined;
    return JSON.stringify(roots.map((root, at) => [root, found[at]?.ino]));
  }

  #watch(root: string): Promise<FolderWatch> {
    const { workspace, watch = watchFolder } = this.#parts;
    return watch(join(workspace, root), {
      except: root === '' ? NEVER_WATCHED : [],
      onPaths: (paths) => {
        if (paths.length > 0) this.#notice();
      },
      onLost: () => this.#notice(),
    });
  }

  #notice(): void {
    this.#isDue = true;
    const { clock } = this.#parts;
    this.#cancel ??= clock.callAt(
      clock.now() + SETTLES_AFTER_MS,
      () => {
        this.#cancel = undefined;
        this.#onNotice();
      },
      { background: true },
    );
  }

  async #unwatch(): Promise<void> {
    this.#cancel?.();
    this.#cancel = undefined;
    this.#watched = undefined;
    await Promise.all(this.#watches.map((watch) => watch.close()));
    this.#watches = [];
  }
}
