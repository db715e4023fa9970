import type { PolicyVerdict, Risk, SideEffect } from '../engine/index.ts';

export type PolicyErrorCode = 'policy.invalid' | 'policy.unreadable' | 'policy.link_refused';

export type PolicyDecision = PolicyVerdict['decision'];

/** A policy file: its display name and its text. */
export interface PolicySource {
  readonly file: string;
  readonly text: string;
}

/** Whose file a rule is in: the user's rules may loosen, the workspace's may only tighten. */
export type PolicyOwner = 'user' | 'project';

/** A condition on a call, in addition to the tool name. */
export type PolicyCondition =
  /** About every path of the input, or only about its `cwd`. */
  | { readonly about: 'path' | 'cwd'; readonly glob: string; readonly negated: boolean }
  | { readonly about: 'host'; readonly pattern: string; readonly negated: boolean }
  | { readonly about: 'argv'; readonly words: readonly string[] }
  | {
      readonly about: 'input';
      readonly field: readonly (string | number)[];
      readonly value: string;
      readonly negated: boolean;
    }
  /** Names a field and covers every value of it; no field means all of the input. */
  | { readonly about: 'any'; readonly field: readonly string[] }
  | { readonly about: 'timeout'; readonly atMost: number }
  | { readonly about: 'git'; readonly value: 'read' | 'write'; readonly negated: boolean }
  | { readonly about: 'side effect'; readonly value: SideEffect; readonly negated: boolean }
  | { readonly about: 'risk'; readonly atLeast: Risk }
  | { readonly about: 'agent' | 'state' | 'kind'; readonly value: string; readonly negated: boolean };

/** Which calls a row matches: a tool or a family of tools, and conditions that must all match. */
export interface PolicyMatch {
  readonly tool: string;
  readonly conditions: readonly PolicyCondition[];
}

export interface PolicyRow {
  readonly file: string;
  readonly line: number;
  readonly match: PolicyMatch;
  readonly decision: PolicyDecision;
  readonly why: string;
}

/** A row with its owner. */
export interface PolicyRule extends PolicyRow {
  readonly owner: PolicyOwner;
}

/** A problem in a policy. Lines and columns count from 1. */
export interface PolicyProblem {
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

/** From the weakest to the strongest. */
export const DECISIONS: readonly PolicyDecision[] = ['allow', 'ask', 'deny'];
