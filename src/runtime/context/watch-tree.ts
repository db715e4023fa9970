import { type FolderWatch, watchFolder } from '../../adapters/watcher/index.ts';
import { IGNORE_FILES, NEVER_IN_TREE, pathText, type ScanOutcome } from '../../context/index.ts';
import { type Clock, textOf } from '../../kernel/index.ts';

const DEBOUNCE_MS = 100;
const POLL_MS = 2_000;
const RULES_OF_REPOSITORY = '.git/info';
/** Replaces a name that is not valid text. */
const UNREADABLE = '\ufffd';

export interface WatchTreeOptions {
  readonly workspace: string;
  readonly by: string;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly onReady?: (root: string) => void;
  /** Called after each look since then, with what it came to. */
  readonly onLooked: (outcome: Looked) => Promise<void>;
  readonly onWarning?: (what: string) => void;
}

/** The result of a scan: the root, and the changes since the scan before. */
type Looked = Pick<ScanOutcome, 'root' | 'previous' | 'delta'>;

/** The tree that is kept up to date. */
interface Watched {
  update(request: { readonly by: string; readonly folders?: ReadonlySet<string> }): Promise<Looked>;
  /** Folders that need not be watched. */
  leftOut(): readonly string[];
}

/**
 * Keeps the tree up to date until the signal aborts. Scans what the system reports as changed, or everything if reports are
 * missing or may be lost.
 */
export async function watchTree(tree: Watched, options: WatchTreeOptions): Promise<void> {
  const { by, signal, onWarning } = options;
  const pending = new PendingChanges(options.clock, signal);
  // The first scan finds the folders to watch; the second finds changes made before the watch started.
  await tree.update({ by });
  const watch = await startWatch(tree, options, pending);
  try {
    options.onReady?.((await tree.update({ by })).root);
    for (;;) {
      const folders = await pending.next(watch === undefined ? POLL_MS : undefined);
      if (signal.aborted) return;
      try {
        await options.onLooked(await tree.update({ by, ...(folders === undefined ? {} : { folders }) }));
      } catch (error) {
        onWarning?.(textOf(error));
        pending.addAll(POLL_MS);
      }
    }
  } finally {
    await watch?.close();
  }
}

/** Watches the files, and separately the ignore rules of the repository. */

async function startWatch(
  tree: Watched,
  { workspace, onWarning }: WatchTreeOptions,
  pending: PendingChanges,
): Promise<FolderWatch | undefined> {
  const onLost = (error: unknown): void => {
    onWarning?.(`changes may have been missed, so everything is scanned again: ${textOf(error)}`);
    pending.addAll();
  };
  try {
    const files = await watchFolder(workspace, {
      except: [...NEVER_IN_TREE, ...tree.leftOut()],
      onPaths: (paths) => pending.add(paths),
      onLost,
    });
    // Where there is no such folder, or the repository lies elsewhere, new rules count with the next edit.
    const rules = await watchFolder(`${workspace}/${RULES_OF_REPOSITORY}`, {
      except: [],
      onPaths: () => pending.addAll(),
      onLost,
    }).catch(() => undefined);
    return { close: async () => void (await Promise.all([files.close(), rules?.close()])) };
  } catch (error) {
    const seconds = POLL_MS / 1_000;
    onWarning?.(`the system does not tell of changes (${textOf(error)}); looking every ${seconds} seconds.`);
    return undefined;
  }
}

/** Paths that may have changed since the last call. */
class PendingChanges {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #folders = new Set<string>();
  #everything = false;
  #cancel: (() => void) | undefined;
  #wake: () => void = () => undefined;
  #isDue = false;

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
    signal.addEventListener('abort', () => this.#wake(), { once: true });
  }

  add(paths: readonly string[]): void {
    for (const path of paths) {
      const names = path.split('/');
      if (names.some((name) => NEVER_IN_TREE.has(name))) continue;
      const rulesChanged = IGNORE_FILES.some((name) => name === names.at(-1));
      if (rulesChanged || path.includes(UNREADABLE)) this.#everything = true;
      // A folder that is new is found by looking into the one that holds it.
      else this.#folders.add(folderOf(path));
      this.#startTimer(DEBOUNCE_MS);
    }
  }

  addAll(afterMs = DEBOUNCE_MS): void {
    this.#everything = true;
    this.#startTimer(afterMs);
  }

  /** Waits until something may have changed; answers with the folders, undefined meaning everything. */
  async next(pollMs: number | undefined): Promise<ReadonlySet<string> | undefined> {
    if (pollMs !== undefined) this.addAll(pollMs);
    if (!this.#isDue && !this.#signal.aborted)
      await new Promise<void>((resolve) => {
        this.#wake = resolve;
      });
    this.#cancel?.();
    this.#cancel = undefined;
    const folders = this.#everything ? undefined : this.#folders;
    this.#folders = new Set();
    this.#everything = false;
    this.#isDue = false;
    return folders;
  }

  #startTimer(ms: number): void {
    this.#cancel ??= this.#clock.callAt(this.#clock.now() + ms, () => {
      this.#cancel = undefined;
      this.#isDue = true;
      this.#wake();
    });
  }
}

function folderOf(path: string): string {
  return pathText(Buffer.from(path.slice(0, Math.max(path.lastIndexOf('/'), 0)), 'utf8').toString('latin1'));
}
