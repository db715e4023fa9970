import type { EpochMs } from '../kernel/index.ts';

export interface ScanRequest {
  /** Reads every file, whatever is known of it. */
  readonly force: boolean;
  readonly by: string;
}

/** What a scan found; the numbers are of files and links. */
export interface ScanAnswer {
  readonly root: string;
  readonly added: number;
  readonly changed: number;
  readonly removed: number;
  readonly unchanged: number;
  /** What is no part of the tree, or could not be read as it is. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[];
  /** How many files were read. */
  readonly read: number;
}

/** The tree as last scanned; the root is null before the first scan. */
export interface TreeStatusAnswer {
  readonly root: string | null;
  readonly files: number;
  readonly directories: number;
  readonly links: number;
  readonly bytes: number;
}

/** A root that a scan found, and the one that it was found after. */
export interface RootView {
  readonly root: string;
  readonly previous?: string;
  readonly at: EpochMs;
}

/** A node that differs; without `before` it is new, without `after` it is gone. */
export interface NodeChangeView {
  readonly path: string;
  readonly kind: 'file' | 'directory' | 'link';
  readonly before?: string;
  readonly after?: string;
}

/** What differs between two roots. */
export interface TreeDiffAnswer {
  readonly from: string;
  readonly to: string;
  readonly added: readonly NodeChangeView[];
  readonly changed: readonly NodeChangeView[];
  readonly removed: readonly NodeChangeView[];
}

/** What a change of the workspace came to. */
export interface TreeChangeView {
  readonly root: string;
  readonly previous?: string;
  readonly changes: readonly NodeChangeView[];
}

export interface WatchRequest {
  readonly by: string;
  readonly signal: AbortSignal;
  /** Called when everything is known, with the root as it is, before any change. */
  readonly onReady?: (root: string) => void;
  /** Called after each change, when it is on record. Must not throw. */
  readonly onChange: (change: TreeChangeView) => void;
  /** Learns what went wrong and is done in another way or tried again. */
  readonly onTrouble?: (what: string) => void;
}

/** What can be asked of the workspace's tree. */
export interface ContextTreeApi {
  scan(request: ScanRequest): Promise<ScanAnswer>;
  treeStatus(): Promise<TreeStatusAnswer>;
  /** The newest first. */
  roots(limit: number): Promise<readonly RootView[]>;
  /** Each root is named by the beginning of its id. */
  diff(from: string, to: string): Promise<TreeDiffAnswer>;
  /** Follows the workspace until the signal aborts. */
  watch(request: WatchRequest): Promise<void>;
}
