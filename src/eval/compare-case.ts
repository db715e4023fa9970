// Owns: what counts as a divergence of a case, and its reason. Pure.
import { canonicalJson, type Digest, type Json, withoutTags } from '../kernel/index.ts';
import { diffValues } from './diff-values.ts';
import type { Acceptance, EvalCase, ExpectedDecision } from './eval-case.ts';
import { requestChanges } from './request-parts.ts';

/** A decision of today, at the same place of the record. */
export type ActualDecision = ExpectedDecision & {
  /** Why the policy decides so today. */
  readonly why?: string | undefined;
  /** The model that the record names, as provider/model; for cases that do not expect one. */
  readonly recordedModel?: string | undefined;
};

export interface ActualRun {
  readonly id: string;
  readonly decisions: readonly ActualDecision[];
  /** What the run needs and the workspace no longer has, such as its agent or its graph. */
  readonly missing: readonly string[];
}

export interface Divergence {
  readonly kind: 'decision' | 'policy' | 'prompt' | 'model' | 'missing';
  readonly run: string;
  readonly step: number;
  readonly state: string;
  readonly expected: Json;
  readonly actual: Json;
  /** What is different, in short lines. */
  readonly diff: readonly string[];
  /** How many later steps diverge in the same way. */
  readonly repeated: number;
}

/** Compares the expected decisions of a case with those of today. */
export function compareCase(
  one: EvalCase,
  actual: readonly ActualRun[],
  textOf: (digest: Digest) => string | undefined,
): readonly Divergence[] {
  const found = one.runs.flatMap((run) => {
    const now = actual.find(({ id }) => id === run.id);
    const at = { run: run.id, step: 0, state: '', expected: null, actual: null, repeated: 0 };
    const missing = (now?.missing ?? []).map(
      (what): Divergence => ({ ...at, kind: 'missing', diff: [what] }),
    );
    const decided = run.expected.flatMap((expected) => {
      const decision = now?.decisions.find((candidate) => candidate.at === expected.at);
      return decision === undefined ? [] : compareDecision(run.id, expected, decision, textOf);
    });
    return [...missing, ...decided];
  });
  return joinRepeated(found);
}

function compareDecision(
  run: string,
  expected: ExpectedDecision,
  actual: ActualDecision,
  textOf: (digest: Digest) => string | undefined,
): readonly Divergence[] {
  const { step, state } = expected;
  const at = { run, step, state, repeated: 0 };
  const found: Divergence[] = [];
  if (expected.request !== undefined) {
    const changes =
      actual.request === undefined
        ? ['no model is asked for this step']
        : requestChanges(expected.request, actual.request, textOf);
    const digests = { expected: expected.request.digest, actual: actual.request?.digest ?? null };
    if (changes.length > 0) found.push({ ...at, kind: 'prompt', ...digests, diff: changes });
  }
  const before = expected.model ?? actual.recordedModel;
  if (before !== undefined && actual.model !== undefined && before !== actual.model) {
    const diff = [`model: ${before} → ${actual.model}`];
    found.push({ ...at, kind: 'model', expected: before, actual: actual.model, diff });
  }
  if (withoutTags(canonicalJson(expected.decision)) !== withoutTags(canonicalJson(actual.decision))) {
    const diff = diffValues(expected.decision, actual.decision);
    found.push({ ...at, kind: 'decision', expected: expected.decision, actual: actual.decision, diff });
  }
  if (expected.policy !== undefined && actual.policy !== undefined && expected.policy !== actual.policy) {
    const because = actual.why === undefined ? '' : ` (${actual.why})`;
    const diff = [`policy: ${expected.policy} → ${actual.policy}${because}`];
    found.push({ ...at, kind: 'policy', expected: expected.policy, actual: actual.policy, diff });
  }
  return found;
}

/** A changed prompt or model changes every later request; it is reported once. */
function joinRepeated(found: readonly Divergence[]): readonly Divergence[] {
  const joined = new Map<string, Divergence>();
  for (const [i, one] of found.entries()) {
    const repeats = one.kind === 'prompt' || one.kind === 'model';
    const key = repeats ? canonicalJson([one.kind, [...one.diff]]) : String(i);
    const first = joined.get(key);
    joined.set(key, first === undefined ? one : { ...first, repeated: first.repeated + 1 });
  }
  return [...joined.values()];
}

/** How the run of a case ends with the decisions of today. */
interface CaseEnd {
  readonly status: string;
  readonly output: Json;
}

/** The end that the last decision leads to; without a last decision it is the recorded one. */
export function endOfCase(one: EvalCase, actual: readonly ActualRun[]): CaseEnd {
  const root = actual.find(({ id }) => id === one.recorded.run);
  const last = root?.decisions.at(-1)?.decision as { kind?: string; output?: Json } | undefined;
  if (last?.kind === 'finish') return { status: 'completed', output: last.output ?? null };
  if (last?.kind === 'fail') return { status: 'failed', output: null };
  return { status: one.recorded.status, output: null };
}

export interface CheckedAcceptance {
  readonly criterion: string;
  /** Null if it was not checked. */
  readonly holds: boolean | null;
  /** Why it was not checked, or why it does not hold. */
  readonly why?: string;
}

/** The reason for a criterion that only a live run can check. */
export const NOT_OFFLINE = 'not checked offline; use --live';

/** Checks the conditions for the end of a run. Criteria of tasks are left unchecked, with `why` as the reason. */
export function checkAcceptance(
  conditions: readonly Acceptance[],
  end: CaseEnd,
  why: string,
): readonly CheckedAcceptance[] {
  return conditions.map((condition) => {
    if ('ends' in condition)
      return { criterion: `the run is ${condition.ends}`, holds: end.status === condition.ends };
    if ('output_contains' in condition) {
      const { output_contains: text } = condition;
      const output = typeof end.output === 'string' ? end.output : canonicalJson(end.output);
      return { criterion: `the output contains ${JSON.stringify(text)}`, holds: output.includes(text) };
    }
    if ('output_equals' in condition) {
      const { output_equals: value } = condition;
      const holds = canonicalJson(value) === canonicalJson(end.output);
      return { criterion: `the output equals ${canonicalJson(value)}`, holds };
    }
    const task = condition.task === undefined ? '' : `${condition.task}: `;
    const criterion = `${task}${canonicalJson(condition.criterion)}`;
    // A run of tasks completes only if each of them did.
    if ('task_completed' in condition.criterion && end.status === 'completed')
      return { criterion, holds: true };
    return { criterion, holds: null, why };
  });
}
