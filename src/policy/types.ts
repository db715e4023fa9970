import type { PolicyVerdict, Risk, SideEffect } from '../engine/index.ts';

export type PolicyErrorCode = 'policy.invalid' | 'policy.unreadable' | 'policy.link_refused';

export type PolicyDecision = PolicyVerdict['decision'];

/** A policy file: the name that people know it by, and what it says. */
export interface PolicySource {
  readonly file: string;
  readonly text: string;
}

/** Whose file a rule stands in: the person's own may loosen, one of the workspace may only tighten. */
export type PolicyOwner = 'user' | 'project';

/** One thing that must hold beside the tool's name. `negated` turns it round. */
export type PolicyCondition =
  | { readonly about: 'path'; readonly glob: string; readonly negated: boolean }
  | { readonly about: 'host'; readonly pattern: string; readonly negated: boolean }
  | { readonly about: 'argv'; readonly words: readonly string[] }
  | {
      readonly about: 'input';
      readonly field: readonly (string | number)[];
      readonly value: string;
      readonly negated: boolean;
    }
  | { readonly about: 'side effect'; readonly value: SideEffect; readonly negated: boolean }
  | { readonly about: 'risk'; readonly atLeast: Risk }
  | { readonly about: 'agent' | 'state' | 'kind'; readonly value: string; readonly negated: boolean };

/** Which calls a row is about: a tool or a family of tools, and conditions that must all hold. */
export interface PolicyMatch {
  readonly tool: string;
  readonly conditions: readonly PolicyCondition[];
}

/** A row of a policy's table. */
export interface PolicyRow {
  readonly file: string;
  readonly line: number;
  readonly match: PolicyMatch;
  readonly decision: PolicyDecision;
  readonly why: string;
}

/** A row and whose it is. */
export interface PolicyRule extends PolicyRow {
  readonly owner: PolicyOwner;
}

/** What cannot be read in a policy, and where. Lines and columns count from 1. */
export interface PolicyProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** Decisions, from the weakest to the strongest. */
export const DECISIONS: readonly PolicyDecision[] = ['allow', 'ask', 'deny'];
