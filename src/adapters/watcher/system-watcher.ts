// Owns: when to scan for changes. Does not own: detecting them; the inner watcher does.
// I1 An event during a scan makes the next one due. I2 If the system cannot watch one of the roots, every call scans.
import { lstat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Clock } from '../../kernel/index.ts';
import { outermost, type TreeChange, type TreeWatcher } from './polling-watcher.ts';

/** Batches writes that follow each other this closely. */
const SETTLE_MS = 100;
/** Some file systems report no events for changes by others. */
const MAX_SCAN_INTERVAL_MS = 60_000;
const EXCLUDED = ['.git', '.oka'];

export interface SystemWatcherParts {
  /** Performs the scans. */
  readonly watcher: TreeWatcher;
  /** The folder that paths are relative to. */
  readonly workspace: string;
  readonly clock: Clock;
  /** Subscribes to system events; rejects if they are not available. */
  readonly watch?: typeof watchFolder;
}

/** Scans only after a system event below the roots and once a minute; on every call if there are no system events. */
export class SystemWatcher implements TreeWatcher {
  readonly #parts: SystemWatcherParts;
  #watches: readonly FolderWatch[] = [];
  /** Identifies the watched folders; undefined if they cannot be watched. */
  #watched: string | undefined;
  #isDue = true;
  #scannedAt = Number.NEGATIVE_INFINITY;
  #cancel: (() => void) | undefined;
  #onNotice: () => void = () => undefined;

  constructor(parts: SystemWatcherParts) {
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
    const isWatching = this.#watched !== undefined;
    // A clock that was set back must not delay the next scan.
    const isRecent = now >= this.#scannedAt && now - this.#scannedAt < MAX_SCAN_INTERVAL_MS;
    if (isWatching && !this.#isDue && isRecent) return undefined;
    this.#isDue = false;
    this.#scannedAt = now;
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
    const identity = await this.#identityOf(roots);
    if (identity === this.#watched && identity !== undefined) return;
    await this.#unwatch();
    this.#isDue = true;
    if (identity === undefined) return;
    const watches: FolderWatch[] = [];
    try {
      for (const root of roots) watches.push(await this.#watch(root));
      this.#watches = watches;
      this.#watched = identity;
    } catch {
      await Promise.all(watches.map((watch) => watch.close()));
    }
  }

  /** Identifies the folders by inode; undefined if a root is no folder, which cannot be watched. */
  async #identityOf(roots: readonly string[]): Promise<string | undefined> {
    const found = await Promise.all(
      roots.map((root) => lstat(join(this.#parts.workspace, root)).catch(() => undefined)),
    );
    if (!found.every((root) => root?.isDirectory())) return undefined;
    return JSON.stringify(roots.map((root, at) => [root, found[at]?.ino]));
  }

  #watch(root: string): Promise<FolderWatch> {
    const { workspace, watch = watchFolder } = this.#parts;
    return watch(join(workspace, root), {
      except: root === '' ? EXCLUDED : [],
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
      clock.now() + SETTLE_MS,
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

/** Callbacks of a watch, called at any time until it is closed. They must not throw. */
interface FolderWatchOptions {
  /** Excluded subfolders. */
  readonly except: readonly string[];
  /** These paths, relative to the watched folder, may have changed. */
  readonly onPaths: (paths: readonly string[]) => void;
  /** Events were lost: anything may have changed. */
  readonly onLost: (error: unknown) => void;
}

export interface FolderWatch {
  close(): Promise<void>;
}

/** Watches a folder with the operating system's events. Rejects if they are not available. */
export async function watchFolder(folder: string, options: FolderWatchOptions): Promise<FolderWatch> {
  const { default: watcher } = await import('@parcel/watcher');
  const subscription = await watcher.subscribe(
    folder,
    (error, events) => {
      if (error !== null) options.onLost(error);
      else options.onPaths(events.map(({ path }) => path.slice(folder.length + 1)));
    },
    { ignore: options.except.map((path) => join(folder, path)) },
  );
  return { close: () => subscription.unsubscribe() };
}
