export {
  type CompiledPolicy,
  compilePolicy,
  type PolicySources,
} from './compile-policy.ts';
export {
  explainPolicy,
  type MatchedRule,
  type PolicyExplanation,
  type ReviewedRule,
  reviewPolicy,
} from './explain-policy.ts';
export { parsePolicy, readPolicy } from './parse-policy.ts';
export { printMatch, printPolicy } from './print-policy.ts';
export type {
  PolicyCondition,
  PolicyDecision,
  PolicyErrorCode,
  PolicyMatch,
  PolicyOwner,
  PolicyProblem,
  PolicyRow,
  PolicyRule,
  PolicySource,
} from './types.ts';
