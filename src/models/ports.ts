import type { ModelAnswer, ModelDelta, ModelRequest } from './types.ts';

/**
 * A place where models answer. Failures are OkaErrors of this domain; an aborted signal rejects with its reason.
 * A stream gives texts, then the whole answer once; one that is cut fails with `models.stream_cut` and gives no answer,
 * so that half a tool call is never seen.
 */
export interface ModelProvider {
  readonly name: string;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
  /** One vector for each text, in the same order. */
  embed?(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}
