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

/** The workspace at the last scan. */
export interface WorkspaceTree {
  /** The absolute path of the workspace; without it, absolute paths are rejected. */
  readonly folder?: string;
  /** The id of the root node; undefined before the first scan. */
  root(): Promise<string | undefined>;
  node(path: string): Promise<NodeRecord | undefined>;
  /** Current nodes with this id prefix; at most 2. */
  byId(prefix: string): Promise<readonly NodeRecord[]>;
  /** Ordered by name (bytes). */
  children(path: string): Promise<readonly ChildRef[]>;
}
