export { type AskedModel, type Asking, askModel } from './ask-model.ts';
export { collectAnswer, digestOfRequest } from './collect-answer.ts';
export { fallbackProviders, withModel } from './fallback-providers.ts';
export { finishedAnswer, type GivenAnswer } from './finished-answer.ts';
export { MODEL_TABLE, PRICES_AS_OF } from './known-models.ts';
export { modelError, retryAfterOf } from './model-error.ts';
export { factsOf, priceOf } from './model-facts.ts';
export { ASSUMED_PRICE, answerLimit, highestPrice, type ModelSpend, reservationFor } from './model-spend.ts';
export { parseStructured } from './parse-structured.ts';
export type { FoundModel, ModelDirectory, ModelProvider } from './ports.ts';
export { withPromptedTools } from './prompted-tools.ts';
export {
  keyNameOf,
  PROVIDER_CATALOGUE,
  PROVIDER_IDS,
  type ProviderFacts,
  type ProviderId,
  type ProviderWire,
  providerFacts,
} from './provider-catalogue.ts';
export { parseScript, type Script, type ScriptTurn } from './script.ts';
export { ScriptedProvider } from './scripted-provider.ts';
export type {
  ModelAnswer,
  ModelDelta,
  ModelFacts,
  ModelMessage,
  ModelPrice,
  ModelPurpose,
  ModelRecovery,
  ModelRequest,
  ModelsErrorCode,
  ModelTable,
  ModelTool,
  ModelToolCall,
  ModelUsage,
  OpenRequest,
} from './types.ts';
export { type WireToolNames, wireToolNames } from './wire-tool-name.ts';
export { withContinuation } from './with-continuation.ts';
export { withRetry } from './with-retry.ts';
export { withoutStreaming } from './without-streaming.ts';
