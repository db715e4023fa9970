import type { EpochMs, JsonObject } from '../../kernel/index.ts';
import { eventDrafts } from '../../ledger/index.ts';
import type { Basis, Recipe } from './types.ts';

/** The data of each event about frames and heads. */
export interface FrameEventData {
  /** A frame was added, and is now the head of its path and type. */
  'context.frame_appended': {
    id: string;
    path: string;
    node: string;
    type: string;
    agent: string;
    basisHash: string;
    recipe: Recipe;
    bytes: number;
    at: EpochMs;
  };
  /** A frame that was there before is the head now, or rests on another version of its path. */
  'context.head_moved': {
    path: string;
    type: string;
    frame: string;
    node: string;
    recipe: Recipe;
    at: EpochMs;
  };
  /** Heads do not hold any more until they are made again. */
  'context.heads_invalidated': { path: string; types: readonly string[] };
}

/** What a person may want erased: what a frame says, and what it was made from. */
export interface FrameBody {
  readonly basis: Basis;
  readonly metadata?: JsonObject | undefined;
  readonly content?: string | undefined;
  readonly blob?: string | undefined;
}

/** A draft of an event, checked against the tables above. */
export const frameEvent = eventDrafts<FrameEventData, { 'context.frame_appended': FrameBody }>();
