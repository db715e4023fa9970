export type { Notice } from '../chat/index.ts';
export type { ContextView, NodeChange } from '../context/index.ts';
export type { Diagnostic, GuaranteeMode, StateValue } from '../graph/index.ts';
export {
  BACKGROUND_WARNING,
  createRedactor,
  didYouMean,
  explainSystemError,
  isOkaError,
  type Json,
  nearestName,
  OkaError,
  parseJson,
  sortableIds,
  systemClock,
  systemRandom,
} from '../kernel/index.ts';
export type { Fault } from '../ledger/index.ts';
export type {
  DaySummary,
  Figures,
  Found,
  MemoryHit,
  MemoryQuery,
  ScoreReport,
} from '../memory/index.ts';
export type { KeySource, LoggedUse } from '../vault/index.ts';
export type * from './agent-api.ts';
export type * from './backup-api.ts';
export type * from './chat-api.ts';
export { checkedOka } from './checked-oka.ts';
export type * from './context-api.ts';
export type * from './context-tree-api.ts';
export type * from './daemon-api.ts';
export {
  type Action,
  ActionWordings,
  circumstancesOf,
  count,
  isCounted,
  type LineChange,
  sharesLine,
} from './describe-action.ts';
export {
  describeRequest,
  isWithoutSandbox,
  quoteForShell,
  type RequestedAct,
  requestLine,
  requestTitle,
  whyNotRemembered,
} from './describe-request.ts';
export type { ErrorCode } from './error-codes.ts';
export type * from './eval-api.ts';
export { marked, markedDiffLine, visible, visibleJson } from './foreign-text.ts';
export type * from './grants-api.ts';
export type * from './graph-api.ts';
export { type HttpRequest, httpInput } from './http-input.ts';
export { HTTP_ROUTES, type HttpRoute } from './http-routes.ts';
export { callOperation, knownOka, scopedOka, type Warning } from './known-oka.ts';
export type * from './ledger-api.ts';
export type * from './maintenance-api.ts';
export type * from './mcp-api.ts';
export type * from './memory-api.ts';
export type * from './memory-pack-api.ts';
export type * from './metrics-api.ts';
export type * from './models-api.ts';
export type * from './oka-api.ts';
export { openApiDocument } from './openapi.ts';
export { checkCall } from './operation-schemas.ts';
export { isServed, OPERATIONS, type OperationName } from './operations.ts';
export { outputText } from './output-text.ts';
export type * from './page-api.ts';
export type * from './policy-api.ts';
export { type Problem, toProblem } from './problems.ts';
export type * from './procedures-api.ts';
export { REMINDER_GRAPH, type ReminderItem, remindersIn } from './reminder-item.ts';
export { type DaemonLink, methodOf, remoteOka } from './remote-oka.ts';
export type * from './replication-api.ts';
export type * from './run-views.ts';
export type * from './serving-api.ts';
export { nextSession, sessionsOf } from './session-names.ts';
export { isWholeId, MIN_ID_PART, shortenIds, shortId, shortIds } from './short-id.ts';
export type * from './skills-api.ts';
export type * from './tools-api.ts';
export type * from './trust-api.ts';
export type * from './vault-api.ts';
export { type CallBody, type CallLine, unpackCall, type WireError } from './wire.ts';
