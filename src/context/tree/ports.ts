import type { EpochMs } from '../../kernel/index.ts';
import type { FolderRecord, KnownRoot, TreeCounts } from './types.ts';

/** The folders of the last scan: a cache, which may be lost at any time. */
export interface NodeIndex {
  folder(path: string): FolderRecord | undefined;
  /** All folders below this one. */
  foldersBelow(path: string): Iterable<FolderRecord>;
  /** Up to `limit` folders that have an id with this prefix or contain a node with one. */
  foldersWithId(prefix: string, limit: number): readonly FolderRecord[];
  counts(): TreeCounts;
  /** When the whole workspace was last scanned, if known. */
  scannedAt(): EpochMs | undefined;
}

/** The index during a scan, which locks it for other scans. */
export interface NodeIndexChange extends NodeIndex {
  /** Call before reading nearly all folders. */
  load(): void;
  put(folder: FolderRecord): void;
  remove(path: string): void;
  /** `scannedAt`: the whole workspace was scanned then. */
  commit(scannedAt?: EpochMs): void;
  /** Discards all changes; does nothing after `commit`. */
  end(): void;
}

export interface RootRecords {
  newest(): Promise<KnownRoot | undefined>;
  /** All roots in ledger order; a root that was found again is listed again. */
  all(): Promise<readonly KnownRoot[]>;
}

export interface Blobs {
  put(content: Uint8Array): Promise<string>;
  /** Undefined if there is none. */
  get(digest: string): Promise<Uint8Array | undefined>;
}
