export { type Backoff, backoffMs } from './backoff.ts';
export {
  asObject,
  canonicalForm,
  canonicalJson,
  isTooDeep,
  type Json,
  type JsonObject,
  parseJson,
  refuseTooDeep,
  sameJson,
  toJson,
} from './canonical-json.ts';
export { counting } from './counting.ts';
export { type Digest, digestOf, digestOfJson, isDigest, startDigest } from './digest.ts';
export {
  type ErrorData,
  type Failure,
  isOkaError,
  type KernelErrorCode,
  OkaError,
  type OkaErrorOptions,
  textOf,
  toFailure,
} from './errors.ts';
export { foldName, foldText } from './fold-text.ts';
export { describeFreshness, describeUnchecked, type Freshness, type Unchecked } from './freshness.ts';
export { groupBy } from './group-by.ts';
export { matchText } from './match-text.ts';
export { memoize } from './memoize.ts';
export {
  BACKGROUND_WARNING,
  currentOperation,
  inOperation,
  type OperationScope,
  type Warn,
  type Warning,
  warnOf,
} from './operation-scope.ts';
export type { Clock, EpochMs, Ids, Random } from './ports.ts';
export { deepFreeze, readOnly, shallowReadOnly } from './read-only.ts';
export type { RedactingStream } from './redacting-stream.ts';
export { createRedactor, findMark, findTaggedMark, type Redactor, withoutTags } from './redaction.ts';
export { createSuggester, didYouMean, nearestName, type Suggester } from './suggest.ts';
export {
  explainSystemError,
  type SystemErrorCode,
  systemRefusal,
  withErrorPath,
} from './system-error.ts';
export { idOfKey, sortableIds, systemClock, systemRandom } from './system-ports.ts';
export { type MissingPath, parsePath, readPath, renderTemplate, templatePaths } from './template.ts';
export { spanIdOf, traceIdOf } from './trace-ids.ts';
export { CLOCK_TOLERANCE_MS, isAheadOfClock, unlessAborted, waitUntil } from './wait-until.ts';
export type { WorkerOutcome } from './worker-outcome.ts';
