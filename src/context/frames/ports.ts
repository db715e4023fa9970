import type { Clock, Digest, EpochMs, Json } from '../../kernel/index.ts';
import type { EventStore } from '../../ledger/index.ts';
import type { ChangeTimes } from '../tree/change-times.ts';
import type { WorkspaceTree } from '../types.ts';
import type { ContextAgents } from './agent-identity.ts';
import type { CustomOrdering } from './context-view.ts';
import type { SynthesisPolicies } from './synthesis-policies.ts';
import type { FrameRecord, FrameSummary, Head, PolicyUse } from './types.ts';

/** A head that can be regenerated, with data for a quick staleness check. */
export interface RecipeHead extends Head {
  /** The index of the newest head of a child; -1 if there is none. */
  readonly newestBelow: number;
  /** The synthesis policy. */
  readonly policy?: Pick<PolicyUse, 'name' | 'version'>;
}

/** A change of a head: a frame was appended, became the head again, or the head was marked as invalid. */
export interface HeadMove extends Pick<Head, 'path' | 'type' | 'frame' | 'node' | 'recipe' | 'index'> {
  readonly change: 'appended' | 'moved' | 'invalidated';
}

/** The number and size of frames with the same type, agent and recipe. */
export type FrameTally = Pick<FrameSummary, 'type' | 'agent' | 'recipe' | 'bytes'> & {
  readonly frames: number;
};

/** Reads frames and heads from the tables of `frameProjection`. Lists are ordered by path, type and id. */
export interface FrameRecords {
  frame(id: string): Promise<FrameRecord | undefined>;
  /** Every frame of a path, for all its versions. */
  framesOf(path: string): Promise<readonly FrameSummary[]>;
  /** Every frame of a directory's children. */
  framesBelow(parent: string): Promise<readonly FrameSummary[]>;
  /** The frames with this basis. */
  framesWithBasis(basisHash: string): Promise<readonly FrameSummary[]>;
  /** Frames ordered by id, for paging through all of them. */
  framesAfter(id: string, limit: number): Promise<readonly FrameRecord[]>;
  framesSince(at: EpochMs, limit: number): Promise<readonly FrameSummary[]>;
  head(path: string, type: string): Promise<Head | undefined>;
  heads(path: string): Promise<readonly Head[]>;
  /** The heads of a directory's children, of one type or of all. */
  headsBelow(parent: string, type?: string): Promise<readonly Head[]>;
  /** The heads of a path and everything below it. */
  headsWithin(path: string): Promise<readonly Head[]>;
  /** The heads that moved last, newest first. */
  newestHeads(limit: number): Promise<readonly Head[]>;
  /** The heads within a path that can be regenerated. */
  recipeHeadsWithin(path: string): Promise<readonly RecipeHead[]>;
  /** The changes of heads with an index above `after` and up to `until`, in order. */
  movesBetween(after: number, until: number): Promise<readonly HeadMove[]>;
  /** The last change of a head up to this index. */
  headAt(path: string, type: string, index: number): Promise<HeadMove | undefined>;
  tally(): Promise<readonly FrameTally[]>;
}

/** Stores content that is too large for a row. */
export interface ContentBlobs {
  put(content: string): Promise<Digest>;
  /** Rejects if the bytes do not match the digest; undefined if there are none. */
  get(digest: string): Promise<Uint8Array | undefined>;
}

/** Regenerates a frame with a model, in its own run, unless the answer is recorded. */
export interface FrameGenerator {
  generate(request: {
    readonly path: string;
    readonly type: string;
    readonly prompt: string;
    readonly agent: string;
    readonly by: string;
  }): Promise<{ readonly frame: string; readonly asked: boolean }>;
}

export interface ContextParts {
  readonly events: EventStore;
  readonly records: FrameRecords;
  readonly tree: WorkspaceTree;
  readonly blobs: ContentBlobs;
  readonly agents: ContextAgents;
  readonly policies: SynthesisPolicies;
  /** Additional orderings of compositions, by name. */
  readonly orderings?: Readonly<Record<string, CustomOrdering>>;
  /** Removes known secrets; before hashing, so that the id matches the stored content. */
  readonly redact: <Value extends Json>(value: Value) => Value;
  readonly clock: Clock;
  /** When paths changed; without it, times of changes are unknown. */
  readonly changeTimes?: () => Pick<ChangeTimes, 'leftAt'>;
}
