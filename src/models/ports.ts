import type { ModelAnswer, ModelDelta, ModelRequest } from './types.ts';

/**
 * A model provider. Failures are OkaErrors of this domain; an aborted signal rejects with its reason. A stream yields texts,
 * then the whole answer once; a cut stream fails with `models.stream_cut` and yields no answer, so that no partial tool call is
 * ever seen.
 */
export interface ModelProvider {
  readonly name: string;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
  /** One vector per text, in the same order. */
  embed?(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}
