import type { EpochMs, JsonObject } from '../../kernel/index.ts';
import { eventDrafts, type LedgerEvent } from '../../ledger/index.ts';
import type { Basis, FrameSummary, Head, Producer } from './types.ts';

export interface FrameEventData {
  /** A new frame, which is now the head of its path and type. */
  'context.frame_appended': Omit<FrameSummary, 'createdAt' | 'erased'> & { readonly at: EpochMs };
  /** An existing frame became the head, or applies to another version of its path. */
  'context.head_moved': Pick<Head, 'path' | 'type' | 'frame' | 'node' | 'recipe' | 'at'>;
  /** Another model gave the same answer. */
  'context.frame_produced': Producer & {
    readonly frame: string;
    readonly path: string;
    readonly at: EpochMs;
  };
  /** Heads are stale until they are regenerated. */
  'context.heads_invalidated': { path: string; types: readonly string[] };
}

/** The content that a user may erase: the text of a frame and its basis. */
export interface FrameBody {
  readonly basis: Basis;
  readonly metadata?: JsonObject | undefined;
  readonly content?: string | undefined;
  readonly blob?: string | undefined;
}

export const frameEvent = eventDrafts<FrameEventData, { 'context.frame_appended': FrameBody }>();

/** The digests of the blobs that a context event refers to: deltas of scans and contents of large frames. */
export function blobsOfContextEvent(event: LedgerEvent): readonly string[] {
  if (event.type === 'context.scanned') return [event.data['delta'] as string];
  if (event.type !== 'context.frame_appended') return [];
  const blob = (event.body as unknown as FrameBody | undefined)?.blob;
  return blob === undefined ? [] : [blob];
}
