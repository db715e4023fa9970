import * as z from 'zod';
import { flag, json, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const decision = z.enum(['allow', 'ask', 'deny']);
export type Decision = TypeOf<typeof decision>;

/** A policy file and whether it is in force. */
const policyFileView = z.object({
  file: text,
  path: text,
  owner: z.enum(['user', 'project']),
  /** `not_trusted`: not read, because the workspace is not trusted. `draft`: the given file. */
  status: z.enum(['in_force', 'absent', 'not_trusted', 'invalid', 'draft']),
});
export type PolicyFileView = TypeOf<typeof policyFileView>;

/** A rule with its warnings. */
const policyRuleView = z.object({
  rule: text,
  owner: z.enum(['user', 'project']),
  match: text,
  decision,
  why: text,
  /** False for a rule that changes no decision. */
  effective: flag,
  warnings: list(text),
});
export type PolicyRuleView = TypeOf<typeof policyRuleView>;

const policyProblemView = z.object({ file: text, line: number, column: number, message: text });
export type PolicyProblemView = TypeOf<typeof policyProblemView>;

const policyCheckAnswer = z.object({
  valid: flag,
  files: list(policyFileView),
  rules: list(policyRuleView),
  problems: list(policyProblemView),
});
export type PolicyCheckAnswer = TypeOf<typeof policyCheckAnswer>;

const policyShowAnswer = z.object({
  version: text,
  files: list(policyFileView),
  /** Defaults where no rule matches; the first match applies. */
  defaults: list(z.object({ match: text, decision, why: text })),
  rules: list(policyRuleView),
});
export type PolicyShowAnswer = TypeOf<typeof policyShowAnswer>;

const policyExplainRequest = z.object({
  tool: text,
  input: json,
  kind: text.exactOptional(),
  state: text.exactOptional(),
  agent: text.exactOptional(),
});
export type PolicyExplainRequest = TypeOf<typeof policyExplainRequest>;

const policyExplainAnswer = z.object({
  decision,
  rule: text,
  why: text,
  tool: text,
  sideEffect: text,
  risk: text,
  default: z.object({ decision, rule: text, why: text }),
  /** Every matching rule, in the order of the files. */
  matches: list(
    policyRuleView
      .omit({ effective: true, warnings: true })
      .extend({ decided: flag, note: text.exactOptional() }),
  ),
  /** Other obstacles for the call. */
  notes: list(text),
});
export type PolicyExplainAnswer = TypeOf<typeof policyExplainAnswer>;

const checkDraft = z.object({ file: text, text, owner: z.enum(['user', 'project']) });

export interface PolicyApi {
  /** Checks the files in force, or a draft. */
  check(draft?: TypeOf<typeof checkDraft>): Promise<PolicyCheckAnswer>;
  show(): Promise<PolicyShowAnswer>;
  explain(request: PolicyExplainRequest): Promise<PolicyExplainAnswer>;
}

export const policySchemas: SchemasOf<PolicyApi> = {
  check: [[{ draft: checkDraft.optional() }], policyCheckAnswer],
  show: [[], policyShowAnswer],
  explain: [[policyExplainRequest], policyExplainAnswer],
};
