export {
  type ActualDecision,
  type ActualRun,
  type CaseEnd,
  type CheckedAcceptance,
  checkAcceptance,
  compareCase,
  type Divergence,
  endOfCase,
} from './compare-case.ts';
export {
  type Acceptance,
  type CaseRun,
  caseEvents,
  caseToText,
  type EvalCase,
  evalCaseSchema,
  nameForGoal,
  newCase,
  parseCase,
  toCaseEvent,
} from './eval-case.ts';
export { failureLines, toJUnit } from './junit.ts';
export { describeRequest, digestOfText } from './request-parts.ts';
export type { EvalErrorCode } from './types.ts';
