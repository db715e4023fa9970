import type { JsonObject } from '../../kernel/index.ts';
import type { NodeKind } from '../types.ts';

/** A frame of a child, as a policy sees it. */
export interface ChildContext {
  readonly name: string;
  readonly kind: NodeKind;
  readonly frame: string;
  readonly type: string;
  readonly agent: string;
  readonly content: string;
}

/** What a policy makes a frame of: only what stands here, in order of name, type and frame. */
export interface SynthesisInput {
  readonly path: string;
  readonly type: string;
  readonly parameters: JsonObject;
  readonly children: readonly ChildContext[];
}

/** A way to make one frame of the frames of children. Must be a pure function of its input. */
export interface SynthesisPolicy {
  readonly name: string;
  /** Changes when the policy would answer otherwise, so that frames made before are made again. */
  readonly version: string;
  readonly deterministic: true;
  /** The parameters with defaults filled in; throws `context.invalid` for what it does not know. */
  readonly parameters: (given: JsonObject) => JsonObject;
  readonly synthesize: (input: SynthesisInput) => string;
}
