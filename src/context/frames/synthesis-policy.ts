import type { JsonObject } from '../../kernel/index.ts';
import type { ChildRef } from '../types.ts';
import type { Frame } from './types.ts';

/** A frame of a child, as input of a policy. */
export type ChildContext = Omit<ChildRef, 'id'> &
  Pick<Frame, 'type' | 'agent' | 'content'> & { readonly frame: string };

/** The input of a policy; the children are ordered by name, type and frame. */
export interface SynthesisInput {
  readonly path: string;
  readonly type: string;
  readonly parameters: JsonObject;
  readonly children: readonly ChildContext[];
}

/** Combines the frames of children to one frame. Must be a pure function of its input. */
export interface SynthesisPolicy {
  readonly name: string;
  /** A new version makes frames of the old one stale. */
  readonly version: string;
  readonly deterministic: true;
  /** The parameters with defaults; throws `context.invalid` for unknown ones. */
  readonly parameters: (given: JsonObject) => JsonObject;
  readonly synthesize: (input: SynthesisInput) => string;
}
