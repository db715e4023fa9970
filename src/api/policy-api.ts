import type { Json } from '../kernel/index.ts';

type Decision = 'allow' | 'ask' | 'deny';

/** A place where a policy may stand, and whether it counts. */
export interface PolicyFileView {
  readonly file: string;
  readonly path: string;
  readonly owner: 'user' | 'project';
  /** `not_trusted`: it has not been looked at, because the workspace is not trusted. `draft`: a file that was given. */
  readonly status: 'in_force' | 'absent' | 'not_trusted' | 'invalid' | 'draft';
}

/** A rule, with what a person should know about it. */
export interface PolicyRuleView {
  readonly rule: string;
  readonly owner: 'user' | 'project';
  readonly match: string;
  readonly decision: Decision;
  readonly why: string;
  /** False for a rule that changes no verdict. */
  readonly effective: boolean;
  readonly warnings: readonly string[];
}

export interface PolicyProblemView {
  readonly file: string;
  readonly line: number;
  readonly column: number;
  readonly message: string;
}

export interface PolicyCheckAnswer {
  readonly valid: boolean;
  readonly files: readonly PolicyFileView[];
  readonly rules: readonly PolicyRuleView[];
  readonly problems: readonly PolicyProblemView[];
}

export interface PolicyShowAnswer {
  readonly version: string;
  readonly files: readonly PolicyFileView[];
  /** What holds where no rule does, first match first. */
  readonly defaults: readonly { readonly match: string; readonly decision: Decision; readonly why: string }[];
  readonly rules: readonly PolicyRuleView[];
}

export interface PolicyExplainRequest {
  readonly tool: string;
  readonly input: Json;
  readonly kind?: string;
  readonly state?: string;
  readonly agent?: string;
}

export interface PolicyExplainAnswer {
  readonly decision: Decision;
  readonly rule: string;
  readonly why: string;
  readonly tool: string;
  readonly sideEffect: string;
  readonly risk: string;
  readonly default: { readonly decision: Decision; readonly rule: string; readonly why: string };
  /** Every rule that takes hold, in the order of the files. */
  readonly matches: readonly {
    readonly rule: string;
    readonly owner: 'user' | 'project';
    readonly match: string;
    readonly decision: Decision;
    readonly why: string;
    readonly decided: boolean;
    readonly note?: string;
  }[];
  /** What else keeps the call from going ahead as it is. */
  readonly notes: readonly string[];
}

/** What the policies in force say. */
export interface PolicyApi {
  /** Checks the files in force, or a text that is not in force yet. */
  check(draft?: {
    readonly file: string;
    readonly text: string;
    readonly owner: 'user' | 'project';
  }): Promise<PolicyCheckAnswer>;
  show(): Promise<PolicyShowAnswer>;
  explain(request: PolicyExplainRequest): Promise<PolicyExplainAnswer>;
}
