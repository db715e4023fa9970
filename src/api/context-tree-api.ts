import * as z from 'zod';
import type { NodeChange } from '../context/index.ts';
import {
  epochMs,
  flag,
  list,
  nothing,
  number,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

const scanRequest = z.object({
  /** Reads every file, whatever is known of it. */
  force: flag,
  by: text,
});
export type ScanRequest = TypeOf<typeof scanRequest>;

/** What a scan found; the numbers are of files and links. */
const scanAnswer = z.object({
  root: text,
  added: number,
  changed: number,
  removed: number,
  unchanged: number,
  /** What is no part of the tree, or could not be read as it is. */
  skipped: list(z.object({ path: text, why: text })),
  /** How many files were read. */
  read: number,
});
export type ScanAnswer = TypeOf<typeof scanAnswer>;

/** The tree as last scanned; the root is null before the first scan. */
export const treeStatusAnswer = z.object({
  root: text.nullable(),
  files: number,
  directories: number,
  links: number,
  bytes: number,
});
export type TreeStatusAnswer = TypeOf<typeof treeStatusAnswer>;

/** A root that a scan found, and the one that it was found after. */
const rootView = z.object({ root: text, previous: text.exactOptional(), at: epochMs });
export type RootView = TypeOf<typeof rootView>;

const nodeChange = schemaOf<NodeChange>()(
  z.object({
    path: text,
    kind: z.enum(['file', 'directory', 'link']),
    before: text.exactOptional(),
    after: text.exactOptional(),
  }),
);

/** What differs between two roots. */
const treeDiffAnswer = z.object({
  from: text,
  to: text,
  added: list(nodeChange),
  changed: list(nodeChange),
  removed: list(nodeChange),
});
export type TreeDiffAnswer = TypeOf<typeof treeDiffAnswer>;

/** What a change of the workspace came to. */
const treeChangeView = z.object({
  root: text,
  previous: text.exactOptional(),
  changes: list(nodeChange),
});
export type TreeChangeView = TypeOf<typeof treeChangeView>;

export const watchRequest = z.object({ by: text });
export interface WatchRequest extends TypeOf<typeof watchRequest> {
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

export const contextTreeSchemas: SchemasOf<ContextTreeApi> = {
  scan: [[scanRequest], scanAnswer],
  treeStatus: [[], treeStatusAnswer],
  roots: [[{ limit: number }], list(rootView)],
  diff: [[{ from: text }, { to: text }], treeDiffAnswer],
  watch: [[watchRequest], nothing],
};
