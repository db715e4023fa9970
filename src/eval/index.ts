export {
  type ActualDecision,
  type ActualRun,
  type CheckedAcceptance,
  checkAcceptance,
  compareCase,
  type Divergence,
  endOfCase,
  NOT_OFFLINE,
} from './compare-case.ts';
export {
  type Acceptance,
  type CaseRun,
  caseEvents,
  caseToText,
  type EvalCase,
  type ExpectedDecision,
  nameForGoal,
  newCase,
  parseCase,
  toCaseEvent,
} from './eval-case.ts';
export { toJUnit } from './junit.ts';
export { describeRequest, digestOfText } from './request-parts.ts';
export type { EvalErrorCode } from './types.ts';
