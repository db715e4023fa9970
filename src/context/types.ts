/** What a path of the workspace is. */
export type NodeKind = 'file' | 'directory' | 'link';

/** A version of a path. `path` is relative to the workspace, with `/`, '' for the root. */
export interface NodeRecord {
  readonly id: string;
  readonly path: string;
  readonly kind: NodeKind;
  readonly size?: number;
  readonly contentHash?: string;
  readonly executable?: boolean;
  readonly target?: string;
}

/** A child of a directory, with the version of it that the directory holds. */
export interface ChildRef {
  readonly name: string;
  readonly id: string;
  readonly kind: NodeKind;
}

/** The workspace as last scanned. */
export interface WorkspaceTree {
  /** The id of the root's node; undefined before the first scan. */
  root(): Promise<string | undefined>;
  node(path: string): Promise<NodeRecord | undefined>;
  /** Current nodes whose id begins with this; at most 2 are needed. */
  byId(prefix: string): Promise<readonly NodeRecord[]>;
  /** Ordered by name (bytes). */
  children(path: string): Promise<readonly ChildRef[]>;
}
