import type { TreeDelta } from './tree-delta.ts';
import type { SkippedPath, TreeCounts } from './types.ts';

/** What a scan has found. */
export interface ScanOutcome {
  readonly root: string;
  /** The root that the delta starts from; undefined when the tree was empty. */
  readonly previous?: string;
  readonly delta: TreeDelta;
  readonly counts: TreeCounts;
  readonly skipped: readonly SkippedPath[];
  /** How many files were read. */
  readonly read: number;
}
