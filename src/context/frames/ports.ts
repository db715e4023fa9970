import type { Digest, EpochMs } from '../../kernel/index.ts';
import type { FrameRecord, FrameSummary, Head, PolicyUse, Recipe } from './types.ts';

/** A head that can be made again, with what shows quickly whether it may have to be. */
export interface RecipeHead extends Head {
  /** When a head of a child has last moved; -1 where no child has one. */
  readonly newestBelow: number;
  /** What it was synthesized with. */
  readonly policy?: Pick<PolicyUse, 'name' | 'version'>;
}

/** How many frames there are of one kind. */
export interface FrameTally {
  readonly type: string;
  readonly agent: string;
  readonly recipe: Recipe;
  readonly frames: number;
  readonly bytes: number;
}

/** Finds frames and heads in the tables that `frameProjection` folds. Lists are ordered by path, type and id. */
export interface FrameRecords {
  frame(id: string): Promise<FrameRecord | undefined>;
  /** Every frame of a path, of whatever version. */
  framesOf(path: string): Promise<readonly FrameSummary[]>;
  /** Every frame of the children of a directory. */
  framesBelow(parent: string): Promise<readonly FrameSummary[]>;
  /** The basis index: the frames that were made from this. */
  framesWithBasis(basisHash: string): Promise<readonly FrameSummary[]>;
  /** Frames in the order of their ids, for going through all of them. */
  framesAfter(id: string, limit: number): Promise<readonly FrameRecord[]>;
  framesSince(at: EpochMs, limit: number): Promise<readonly FrameSummary[]>;
  head(path: string, type: string): Promise<Head | undefined>;
  heads(path: string): Promise<readonly Head[]>;
  /** The heads of the children of a directory, of one type or of all. */
  headsBelow(parent: string, type?: string): Promise<readonly Head[]>;
  /** The heads of a path and of everything below it. */
  headsWithin(path: string): Promise<readonly Head[]>;
  /** The heads that have moved last, the last one first. */
  newestHeads(limit: number): Promise<readonly Head[]>;
  /** Those within a path that can be made again. */
  recipeHeadsWithin(path: string): Promise<readonly RecipeHead[]>;
  tally(): Promise<readonly FrameTally[]>;
}

/** Keeps content that is too large for a row. */
export interface ContentBlobs {
  put(content: string): Promise<Digest>;
  /** Rejects where the bytes do not have the digest; undefined where there are none. */
  get(digest: string): Promise<Uint8Array | undefined>;
}

/** Makes a frame again by asking a model, in a run of its own, unless its answer is on record. */
export interface FrameGenerator {
  generate(request: {
    readonly path: string;
    readonly type: string;
    readonly prompt: string;
    readonly agent: string;
    readonly by: string;
  }): Promise<{ readonly frame: string; readonly asked: boolean }>;
}
