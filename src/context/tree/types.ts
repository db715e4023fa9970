import type { NodeKind } from '../types.ts';

/** What tells, without reading, whether something may have changed. Times are in milliseconds; 0 means: look again. */
export interface Stamp {
  readonly size: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
  readonly inode: number;
}

/** Something that stands in a folder and is no node, or could not be read as it is. */
export interface SkippedPath {
  readonly path: string;
  readonly why: string;
}

/**
 * A folder as it was last seen: its children ordered by the bytes of their names, entry by entry in lists of equal
 * length. `stamps` has four numbers for each: size, modified at, changed at, inode.
 */
export interface FolderRecord {
  readonly path: string;
  readonly id: string;
  readonly stamp: Stamp;
  /** The key of the ignore rules that hold in it. */
  readonly rules: string;
  /** Which of the ignore files stand in it, as bits in their order. */
  readonly ignoreFiles: number;
  readonly names: readonly string[];
  /** A letter for each child: f file, x file that may be executed, d directory, l link. */
  readonly kinds: string;
  /** Of a file its content's hash, of a link its target, of a directory its id. */
  readonly contents: readonly string[];
  readonly stamps: Float64Array;
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  /** Folders in it that the rules leave out. */
  readonly leftOut: readonly string[];
}

/** One node that differs between two roots. */
export interface NodeChange {
  readonly path: string;
  /** What it is, or was before it was removed. */
  readonly kind: NodeKind;
  readonly before?: string;
  readonly after?: string;
}

/** How many nodes a tree has. */
export interface TreeCounts {
  readonly files: number;
  readonly directories: number;
  readonly links: number;
  readonly bytes: number;
}

/** A root that the ledger knows. */
export interface KnownRoot {
  readonly root: string;
  /** The root that its delta starts from. */
  readonly previous?: string;
  /** The digest of the blob with the delta. */
  readonly delta: string;
  readonly at: number;
  readonly index: number;
}

export type TreeErrorCode =
  | 'context.scan_busy'
  | 'context.scan_failed'
  | 'context.root_unknown'
  | 'context.root_ambiguous'
  | 'context.delta_missing';
