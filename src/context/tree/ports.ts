import type { FolderRecord, KnownRoot, TreeCounts } from './types.ts';

/** The folders of the tree as last scanned: a cache, which may be lost at any time. */
export interface NodeIndex {
  folder(path: string): FolderRecord | undefined;
  /** Every folder below this one, at any depth. */
  foldersBelow(path: string): Iterable<FolderRecord>;
  /** Up to `limit` folders that hold a node whose id begins so, or have such an id. */
  foldersWithId(prefix: string, limit: number): readonly FolderRecord[];
  counts(): TreeCounts;
}

/** The index while one scan changes it. Nobody else changes it meanwhile. */
export interface NodeIndexChange extends NodeIndex {
  /** Said before nearly every folder is asked for. */
  load(): void;
  put(folder: FolderRecord): void;
  remove(path: string): void;
  commit(): void;
  /** Leaves everything as it was; does nothing after `commit`. */
  end(): void;
}

/** The roots that the ledger knows. */
export interface RootRecords {
  newest(): Promise<KnownRoot | undefined>;
  /** All of them, in the order of the ledger. A root that was found again is there again. */
  all(): Promise<readonly KnownRoot[]>;
}

/** Content by its digest. */
export interface Blobs {
  put(content: Uint8Array): Promise<string>;
  /** Undefined when there is none. */
  get(digest: string): Promise<Uint8Array | undefined>;
}
