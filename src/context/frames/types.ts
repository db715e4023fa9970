import type { EpochMs, JsonObject } from '../../kernel/index.ts';
import type { NodeRecord } from '../types.ts';

export type FrameErrorCode =
  | 'context.not_generated'
  | 'context.not_scanned'
  | 'context.node_unknown'
  | 'context.node_ambiguous'
  | 'context.node_changed'
  | 'context.not_a_directory'
  | 'context.not_allowed'
  | 'context.invalid'
  | 'context.policy_unknown'
  | 'context.policy_refused'
  | 'context.ordering_unknown'
  | 'context.frame_immutable'
  | 'context.frame_damaged'
  | 'context.frame_missing';

/** The synthesis policy of a frame. */
export interface PolicyUse {
  readonly name: string;
  readonly version: string;
  readonly parameters: JsonObject;
}

/** A version of a child and one of its frames. */
export type ChildFrame = readonly [node: string, frame: string];

/** The input of a frame: a node, frames of children, or both. */
export type Basis =
  | { readonly kind: 'node'; readonly node: string }
  | {
      readonly kind: 'frames';
      readonly path: string;
      readonly type: string;
      readonly policy: PolicyUse;
      /** Ordered by node, then by frame. */
      readonly children: readonly ChildFrame[];
    }
  | {
      readonly kind: 'both';
      readonly node: string;
      readonly prompt: string;
      readonly children: readonly ChildFrame[];
    };

/** How a frame can be regenerated: not at all, by its policy, or by a model. */
export type Recipe = 'none' | 'synthesis' | 'generation';

/** A model whose answer a frame is. Several models may give the same answer. */
export interface Producer {
  readonly provider: string;
  readonly model: string;
  readonly run?: string;
  /** The digest of the question. */
  readonly question?: string;
  /** The providers that failed before it answered. */
  readonly fallbackFor?: readonly string[];
}

/** A frame without its content. */
export interface FrameSummary {
  readonly id: string;
  readonly path: string;
  /** The version of the path that it describes. */
  readonly node: string;
  readonly type: string;
  readonly agent: string;
  readonly basisHash: string;
  readonly recipe: Recipe;
  readonly bytes: number;
  readonly createdAt: EpochMs;
  /** Its content was erased. */
  readonly erased: boolean;
}

/** A stored frame: its content is here or in a blob. */
export interface FrameRecord extends FrameSummary {
  readonly basis?: Basis;
  readonly metadata?: JsonObject;
  /** Of a generated frame, in the order of their answers. */
  readonly producers?: readonly Producer[];
  readonly content?: string;
  readonly blob?: string;
}

/** A frame with its content, checked against its id. */
export interface Frame extends FrameSummary {
  readonly metadata?: JsonObject;
  readonly producers?: readonly Producer[];
  readonly content: string;
}

/** The current frame of a path and a type. */
export interface Head {
  readonly path: string;
  readonly type: string;
  readonly frame: string;
  /** The version of the path that it describes. */
  readonly node: string;
  readonly recipe: Recipe;
  /** It was marked as no longer valid. */
  readonly invalid: boolean;
  /** When it was marked. */
  readonly invalidAt?: EpochMs;
  /** Increases with every move of any head. */
  readonly index: number;
  readonly at: EpochMs;
  /** Whether its frame exists with its content. */
  readonly usable: boolean;
}

/** A path of the workspace, and its current node, if any. */
export type Lineage = Pick<NodeRecord, 'path'> & Partial<NodeRecord>;
