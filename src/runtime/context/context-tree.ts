import { SqlContextRoots } from '../../adapters/sql/index.ts';
import { changeNodeIndex, openNodeIndex } from '../../adapters/sqlite/index.ts';
import { fileSystemTime, scanWorkspace, versionOf } from '../../adapters/workspace-tree/index.ts';
import type {
  ContextTreeApi,
  NodeChange,
  RootView,
  ScanAnswer,
  ScanRequest,
  TreeChangeView,
  TreeStatusAnswer,
  WatchRequest,
} from '../../api/index.ts';
import {
  type Blobs,
  ChangeTimes,
  CurrentTree,
  checkIndex,
  diffRoots,
  type IndexFault,
  type NodeIndex,
  type NodeIndexChange,
  nodeNow,
  type RootDiff,
  recordScan,
  type ScanOutcome,
  type TreeErrorCode,
  type WorkspaceTree,
} from '../../context/index.ts';
import { type Digest, isOkaError, OkaError } from '../../kernel/index.ts';
import type { NodeVersion } from '../../memory/index.ts';
import { openArtifacts } from '../ledger/open-artifacts.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { watchTree } from './watch-tree.ts';

const RETRY_MS = 20;
const PATIENCE_MS = 120_000;
/** Compared in about a tenth of a second. */
const READING_LIMIT = { entries: 20_000, bytes: 256 * 1_048_576 };
const NO_LIMIT = { entries: Number.POSITIVE_INFINITY, bytes: Number.POSITIVE_INFINITY };
const MEDIA_TYPE = 'application/octet-stream';

export type ContextTreeServices = Pick<
  WorkspaceServices,
  'folder' | 'clock' | 'ledger' | 'requireTrust' | 'writable' | 'warn'
>;

/** The index before the first scan. */
const UNSCANNED: NodeIndex = {
  folder: () => undefined,
  foldersBelow: () => [],
  foldersWithId: () => [],
  counts: () => ({ files: 0, directories: 0, links: 0, bytes: 0 }),
  scannedAt: () => undefined,
};

type Listener = (change: TreeChangeView) => void;

/** The tree of one workspace: scanned, watched, compared. */
export class ContextTree implements ContextTreeApi {
  readonly #services: ContextTreeServices;
  readonly #listeners = new Set<Listener>();
  #index: (NodeIndex & { close(): void }) | undefined;
  /** One scan after the other. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(services: ContextTreeServices) {
    this.#services = services;
  }

  /** The workspace for one reading, which compares with the disk what it asks for. */
  current(): WorkspaceTree {
    return this.#compared(READING_LIMIT);
  }

  /** The workspace at the last scan, for what follows from that scan. */
  scanned(): WorkspaceTree {
    return this.#compared();
  }

  /** The same without a limit, for what is written from it. */
  whole(): WorkspaceTree {
    return this.#compared(NO_LIMIT);
  }

  async scan(request: ScanRequest): Promise<ScanAnswer> {
    const outcome = await this.update(request);
    const { root, delta, counts, skipped, read } = outcome;
    const { added, changed, removed } = delta.leaves;
    const unchanged = counts.files + counts.links - added - changed;
    return { root, added, changed, removed, unchanged, skipped, read };
  }

  /** Updates tree and ledger from the workspace; with `folders` scans only those. */
  update(request: {
    readonly by: string;
    readonly force?: boolean;
    readonly folders?: ReadonlySet<string>;
    readonly onProgress?: ScanRequest['onProgress'];
  }): Promise<ScanOutcome> {
    const scanned = this.#last.then(() => this.#scan(request));
    this.#last = scanned.catch(() => undefined);
    return scanned;
  }

  async treeStatus(): Promise<TreeStatusAnswer> {
    const index = this.#reading();
    const root = index.folder('')?.id;
    return { root: root ?? null, ...index.counts() };
  }

  async roots(limit: number): Promise<readonly RootView[]> {
    const all = await this.#roots(this.#services.ledger()).all();
    return all
      .slice(-limit)
      .reverse()
      .map(({ root, previous, at }) => ({ root, at, ...(previous === undefined ? {} : { previous }) }));
  }

  async diff(from: string, to: string): Promise<RootDiff & SortedChanges> {
    const parts = { roots: this.#roots(this.#services.ledger()), blobs: this.#blobs() };
    const diff = await diffRoots(parts, from, to);
    return { ...diff, ...sortChanges(diff.changes) };
  }

  async watch({ onChange, ...request }: WatchRequest): Promise<void> {
    let told = '';
    await watchTree(this, {
      ...request,
      workspace: this.#services.folder.workspace,
      clock: this.#services.clock,
      onReady: (root) => {
        told = root;
        request.onReady?.(root);
      },
      onLooked: async ({ root, previous, delta }) => {
        if (root === told) return;
        const from = told;
        told = root;
        // Another process may have found a change first.
        const all = previous === from ? delta.changes() : (await this.diff(from, root)).changes;
        onChange({ root, previous: from, changes: all });
      },
    });
  }

  /** Calls back after each change that this process has found; answers with the way to stop. Must not throw. */
  onChange(listener: Listener): () => void {
    this.#listeners.add(listener);
    return () => void this.#listeners.delete(listener);
  }

  /** The versions that paths have now; of what is not part of the tree, such as an ignored file, by reading it. */
  async versionsOf(paths: readonly string[]): Promise<ReadonlyMap<string, NodeVersion>> {
    const tree = this.current();
    await tree.compare(paths);
    const versions = new Map<string, NodeVersion>();
    for (const path of paths) {
      const { id, unchecked } = await nodeNow(tree, path);
      const version = (unchecked ? undefined : id) ?? versionOf(this.#services.folder.workspace, path);
      if (version !== undefined) versions.set(path, { version });
      else if (unchecked !== undefined) versions.set(path, { unchecked });
    }
    return versions;
  }

  /** When paths changed, from the recorded scans. */
  changeTimes(): ChangeTimes {
    return new ChangeTimes({ roots: this.#roots(this.#services.ledger()), blobs: this.#blobs() });
  }

  /** Ignored folders, which need no watch. */
  leftOut(): readonly string[] {
    const index = this.#reading();
    const root = index.folder('');
    const folders = root === undefined ? [] : [root, ...index.foldersBelow('')];
    return folders.flatMap(({ path, leftOut }) =>
      leftOut.map((name) => (path === '' ? name : `${path}/${name}`)),
    );
  }

  /** Problems of the index; a scan with force repairs it. */
  async faults(): Promise<readonly IndexFault[]> {
    return checkIndex(this.#reading());
  }

  close(): void {
    this.#index?.close();
    this.#index = undefined;
  }

  async #scan({
    by,
    force = false,
    folders,
    onProgress,
  }: Parameters<ContextTree['update']>[0]): Promise<ScanOutcome> {
    const ledger = await this.#services.writable();
    const { workspace } = this.#services.folder;
    const index = await this.#change();
    try {
      const now = fileSystemTime(this.#ownFolder());
      const onWarning = (message: string): void => this.#services.warn(message);
      const outcome = await scanWorkspace({ workspace, index, now, force, onWarning, onProgress }, folders);
      const parts = { events: ledger.events, blobs: this.#blobs(), roots: this.#roots(ledger) };
      await recordScan(parts, outcome, by);
      index.commit(folders === undefined ? this.#services.clock.now() : undefined);
      this.#tell(outcome);
      return outcome;
    } finally {
      index.end();
    }
  }

  #tell({ root, previous, delta }: ScanOutcome): void {
    if (delta.length === 0 || this.#listeners.size === 0) return;
    const change = { root, changes: delta.changes(), ...(previous === undefined ? {} : { previous }) };
    for (const listener of this.#listeners) listener(change);
  }

  /** Waits for a scan of another process to end. */
  async #change(): Promise<NodeIndexChange> {
    const { clock } = this.#services;
    const late = clock.now() + PATIENCE_MS;
    for (;;) {
      const index = changeNodeIndex(this.#file());
      if (index !== undefined) return index;
      if (clock.now() >= late) break;
      await new Promise<void>((resolve) => void clock.callAt(clock.now() + RETRY_MS, resolve));
    }
    const { workspace } = this.#services.folder;
    const code: TreeErrorCode = 'context.scan_busy';
    throw new OkaError(code, `${workspace} is being scanned by another process; try again when it is done.`, {
      data: { workspace },
      transient: true,
    });
  }

  #compared(limit?: { readonly entries: number; readonly bytes: number }): WorkspaceTree {
    const { workspace } = this.#services.folder;
    return new CurrentTree({
      folder: workspace,
      index: this.#reading(),
      ...(limit && { limit }),
      // Nothing is stored, so no stamp needs to be settled.
      walk: (index, scope) => scanWorkspace({ workspace, index, scope, now: 0 }),
    });
  }

  #reading(): NodeIndex {
    // The ledger reports a missing workspace.
    this.#services.ledger();
    this.#index ??= this.#isTrusted() ? openNodeIndex(this.#file()) : undefined;
    return this.#index ?? UNSCANNED;
  }

  /** An untrusted workspace was never scanned by this user, so an index file in it is not used. */
  #isTrusted(): boolean {
    try {
      this.#services.requireTrust();
      return true;
    } catch (error) {
      if (isOkaError(error, 'config.not_trusted')) return false;
      throw error;
    }
  }

  #ownFolder(): string {
    return `${this.#services.folder.directory}/run`;
  }

  #file(): string {
    return `${this.#ownFolder()}/context-nodes.db`;
  }

  #roots(ledger: OpenLedger): SqlContextRoots {
    return new SqlContextRoots(ledger.tables);
  }

  #blobs(): Blobs {
    const store = openArtifacts(this.#services, this.#services.ledger());
    return {
      put: async (content) => (await store.put(content, { mediaType: MEDIA_TYPE })).digest,
      get: (digest) => store.get(digest as Digest),
    };
  }
}

type SortedChanges = Readonly<Record<'added' | 'changed' | 'removed', readonly NodeChange[]>>;

function sortChanges(changes: readonly NodeChange[]): SortedChanges {
  return {
    added: changes.filter(({ before }) => before === undefined),
    changed: changes.filter(({ before, after }) => before !== undefined && after !== undefined),
    removed: changes.filter(({ after }) => after === undefined),
  };
}
