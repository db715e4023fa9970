export { collectAnswer, digestOfRequest } from './collect-answer.ts';
export { fallbackProviders, withModel } from './fallback-providers.ts';
export { modelError, retryAfterOf } from './model-error.ts';
export {
  costOf,
  factsOf,
  MODEL_TABLE,
  type ModelFacts,
  type ModelPrice,
  type ModelTable,
  priceOf,
} from './model-facts.ts';
export {
  answerLimit,
  type ModelSpend,
  requirePrice,
  reservationFor,
  spendOfAnswer,
  spendOfFailure,
} from './model-spend.ts';
export { parseStructured } from './parse-structured.ts';
export type { FoundModel, ModelDirectory, ModelProvider } from './ports.ts';
export { parseScript, type Script, type ScriptTurn } from './script.ts';
export { ScriptedProvider } from './scripted-provider.ts';
export type {
  ModelAnswer,
  ModelDelta,
  ModelMessage,
  ModelPurpose,
  ModelRecovery,
  ModelRequest,
  ModelsErrorCode,
  ModelTool,
  ModelToolCall,
  ModelUsage,
} from './types.ts';
export { type WireToolNames, wireToolNames } from './wire-tool-name.ts';
export { withRetry } from './with-retry.ts';
