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
  /** Reads every file, even unchanged ones. */
  force: flag,
  by: text,
});
export interface ScanRequest extends TypeOf<typeof scanRequest> {
  /** Called with the number of entries found; `total` is that of the last scan, or 0 before the first one. */
  readonly onProgress?: (done: number, total: number) => void;
}

/** The result of a scan; numbers count files and links. */
const scanAnswer = z.object({
  root: text,
  added: number,
  changed: number,
  removed: number,
  unchanged: number,
  /** Paths outside the tree or unreadable ones. */
  skipped: list(z.object({ path: text, why: text })),
  read: number,
});
export type ScanAnswer = TypeOf<typeof scanAnswer>;

/** The last scanned tree; the root is null before the first scan. */
export const treeStatusAnswer = z.object({
  root: text.nullable(),
  files: number,
  directories: number,
  links: number,
  bytes: number,
});
export type TreeStatusAnswer = TypeOf<typeof treeStatusAnswer>;

/** A root of a scan, and the root before it. */
const rootView = z.object({ root: text, previous: text.exactOptional(), at: epochMs });
export type RootView = TypeOf<typeof rootView>;

export const nodeChange = schemaOf<NodeChange>()(
  z.object({
    path: text,
    kind: z.enum(['file', 'directory', 'link']),
    before: text.exactOptional(),
    after: text.exactOptional(),
  }),
);

/** The new root after a change of the workspace. */
const treeChangeView = z.object({
  root: text,
  previous: text.exactOptional(),
  changes: list(nodeChange),
});
export type TreeChangeView = TypeOf<typeof treeChangeView>;

export const watchRequest = z.object({ by: text });
export interface WatchRequest extends TypeOf<typeof watchRequest> {
  readonly signal: AbortSignal;
  /** Called once with the current root, before any change. */
  readonly onReady?: (root: string) => void;
  /** Called after each recorded change. Must not throw. */
  readonly onChange: (change: TreeChangeView) => void;
  /** Called on a problem that a retry or a fallback handles. */
  readonly onWarning?: (what: string) => void;
}

export interface ContextTreeApi {
  scan(request: ScanRequest): Promise<ScanAnswer>;
  treeStatus(): Promise<TreeStatusAnswer>;
  /** Newest first. */
  roots(limit: number): Promise<readonly RootView[]>;
  /** Watches the workspace until the signal aborts. */
  watch(request: WatchRequest): Promise<void>;
}

export const contextTreeSchemas: SchemasOf<ContextTreeApi> = {
  scan: [[scanRequest], scanAnswer],
  treeStatus: [[], treeStatusAnswer],
  roots: [[{ limit: number }], list(rootView)],
  watch: [[watchRequest], nothing],
};
