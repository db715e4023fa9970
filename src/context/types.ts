import type { Unchecked } from '../kernel/index.ts';

/** The kind of a node. */
export type NodeKind = 'file' | 'directory' | 'link';

/** A version of a path. `path` is relative to the workspace; '' is the root. */
export interface NodeRecord {
  readonly id: string;
  readonly path: string;
  readonly kind: NodeKind;
  readonly size?: number;
  readonly contentHash?: string;
  readonly executable?: boolean;
  readonly target?: string;
}

/** A child of a directory and its current version. */
export interface ChildRef {
  readonly name: string;
  readonly id: string;
  readonly kind: NodeKind;
}

/** The workspace as one reading finds it: every path that it tells of is compared with the disk, or unchecked. */
export interface WorkspaceTree {
  /** The absolute path of the workspace; without it, absolute paths are rejected. */
  readonly folder?: string;
  /** The id of the root node at the last scan; undefined before the first one. */
  root(): Promise<string | undefined>;
  node(path: string): Promise<NodeRecord | undefined>;
  /** Current nodes with this id prefix; at most 2. */
  byId(prefix: string): Promise<readonly NodeRecord[]>;
  /** Ordered by name (bytes). */
  children(path: string): Promise<readonly ChildRef[]>;
  /** Undefined if the path, with everything below it, is compared with the disk. */
  unchecked(path: string): Promise<Unchecked | undefined>;
  /** Compares many paths at once, which is faster than one after the other. */
  compare(paths: Iterable<string>): Promise<void>;
}
