import type { ModelAnswer, ModelDelta, ModelPrice, ModelRequest } from './types.ts';

/**
 * A model provider. Failures are OkaErrors of this domain; an aborted signal rejects with its reason. Every answer is finished:
 * one that ended otherwise is a failure (see finished-answer.ts). A stream yields texts, then the whole answer once; a cut
 * stream fails with `models.stream_cut` and yields no answer, so that no partial tool call is ever seen.
 */
export interface ModelProvider {
  readonly name: string;
  complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer>;
  stream(request: ModelRequest, signal: AbortSignal): AsyncIterable<ModelDelta>;
  /** One vector per text, in the same order. */
  embed?(texts: readonly string[], signal: AbortSignal): Promise<readonly (readonly number[])[]>;
}

/** A model that can be called, and what is known about it. */
export interface FoundModel {
  readonly provider: ModelProvider;
  readonly model: string;
  /** The context size, if it is known. */
  readonly contextTokens?: number;
  /** The configured limit of an answer. */
  readonly maxOutputTokens?: number;
  /** The highest price of the model and its fallbacks. */
  readonly price?: ModelPrice;
  /** The price of the model or of a fallback is assumed. */
  readonly isAssumed?: boolean;
}

/** Finds a model by name. Tools get it as the capability `models`. */
export interface ModelDirectory {
  /** The named model, or the default one. Fails with `models.not_configured`. */
  find(name: string | undefined): Promise<FoundModel>;
}
