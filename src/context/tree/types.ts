import type { NodeKind } from '../types.ts';

/** Detects changes without reading content. Times are in milliseconds; 0 forces a new check. */
export interface Stamp {
  readonly size: number;
  readonly modifiedAt: number;
  readonly changedAt: number;
  readonly inode: number;
}

/** An entry that is not part of the tree, or could not be read completely. */
export interface SkippedPath {
  readonly path: string;
  readonly why: string;
}

/**
 * A folder at the last scan. Its children are ordered by the bytes of their names, in lists of equal length. `stamps`
 * has four numbers per child: size, modified at, changed at, inode.
 */
export interface FolderRecord {
  readonly path: string;
  readonly id: string;
  readonly stamp: Stamp;
  /** The key of the ignore rules that apply in it. */
  readonly rules: string;
  /** Its ignore files, as bits in the order of `IGNORE_FILES`. */
  readonly ignoreFiles: number;
  readonly names: readonly string[];
  /** A letter per child: f file, x executable file, d directory, l link. */
  readonly kinds: string;
  /** The content hash of a file, the target of a link, the id of a directory. */
  readonly contents: readonly string[];
  readonly stamps: Float64Array;
  readonly skipped: readonly { readonly name: string; readonly why: string }[];
  /** Its folders that the rules exclude. */
  readonly leftOut: readonly string[];
}

/** A node that differs between two roots. */
export interface NodeChange {
  readonly path: string;
  /** Its kind, or its last kind if it was removed. */
  readonly kind: NodeKind;
  readonly before?: string;
  readonly after?: string;
}

export interface TreeCounts {
  readonly files: number;
  readonly directories: number;
  readonly links: number;
  readonly bytes: number;
}

/** A recorded root. */
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
