import * as z from 'zod';
import { flag, json, list, number, type SchemasOf, type TypeOf, text } from './schemas.ts';

const decision = z.enum(['allow', 'ask', 'deny']);
export type Decision = TypeOf<typeof decision>;

/** A place where a policy may stand, and whether it counts. */
const policyFileView = z.object({
  file: text,
  path: text,
  owner: z.enum(['user', 'project']),
  /** `not_trusted`: it has not been looked at, because the workspace is not trusted. `draft`: a file that was given. */
  status: z.enum(['in_force', 'absent', 'not_trusted', 'invalid', 'draft']),
});
export type PolicyFileView = TypeOf<typeof policyFileView>;

/** A rule, with what a person should know about it. */
const policyRuleView = z.object({
  rule: text,
  owner: z.enum(['user', 'project']),
  match: text,
  decision,
  why: text,
  /** False for a rule that changes no verdict. */
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
  /** What holds where no rule does, first match first. */
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
  /** Every rule that takes hold, in the order of the files. */
  matches: list(
    z.object({
      rule: text,
      owner: z.enum(['user', 'project']),
      match: text,
      decision,
      why: text,
      decided: flag,
      note: text.exactOptional(),
    }),
  ),
  /** What else keeps the call from going ahead as it is. */
  notes: list(text),
});
export type PolicyExplainAnswer = TypeOf<typeof policyExplainAnswer>;

const checkDraft = z.object({ file: text, text, owner: z.enum(['user', 'project']) });

/** What the policies in force say. */
export interface PolicyApi {
  /** Checks the files in force, or a text that is not in force yet. */
  check(draft?: TypeOf<typeof checkDraft>): Promise<PolicyCheckAnswer>;
  show(): Promise<PolicyShowAnswer>;
  explain(request: PolicyExplainRequest): Promise<PolicyExplainAnswer>;
}

export const policySchemas: SchemasOf<PolicyApi> = {
  check: [[{ draft: checkDraft.optional() }], policyCheckAnswer],
  show: [[], policyShowAnswer],
  explain: [[policyExplainRequest], policyExplainAnswer],
};
