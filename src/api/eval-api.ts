import * as z from 'zod';
import type { CheckedAcceptance, Divergence } from '../eval/index.ts';
import { epochMs, flag, json, list, number, type SchemasOf, schemaOf, type TypeOf, text } from './schemas.ts';

const evalItem = z.object({
  name: text,
  /** Relative to the workspace. */
  path: text,
  goal: text,
  kind: text,
  status: text,
  /** The recorded run. */
  run: text,
  recordedAt: epochMs,
  runs: number,
  decisions: number,
});
export type EvalItem = TypeOf<typeof evalItem>;

const divergence = schemaOf<Divergence>()(
  z.object({
    kind: z.enum(['decision', 'policy', 'prompt', 'model', 'missing']),
    run: text,
    step: number,
    state: text,
    expected: json,
    actual: json,
    diff: list(text),
    repeated: number,
  }),
);
export type DivergenceView = TypeOf<typeof divergence>;

const acceptance = schemaOf<CheckedAcceptance>()(
  z.object({ criterion: text, holds: flag.nullable(), why: text.exactOptional() }),
);

const figures = z.object({
  status: text,
  steps: number,
  modelCalls: number,
  tokens: number,
  costUsd: number,
});
export type EvalFigures = TypeOf<typeof figures>;

const evalResult = z.object({
  name: text,
  goal: text,
  passed: flag,
  /** The number of compared decisions. */
  compared: number,
  divergences: list(divergence),
  acceptance: list(acceptance),
  /** The parts of the workspace that differ from the record and explain the divergences. */
  changes: list(text),
  /** The recorded run and the live one; only with `live`. */
  figures: z.object({ recorded: figures, live: figures }).exactOptional(),
  /** Why the case could not be run. */
  error: z.object({ code: text, message: text }).exactOptional(),
});
export type EvalResult = TypeOf<typeof evalResult>;

const addRequest = z.object({ run: text, name: text.exactOptional(), replace: flag });
const addAnswer = z.object({ case: evalItem, notes: list(text) });
export type EvalAddAnswer = TypeOf<typeof addAnswer>;

const runRequest = z.object({
  /** All cases if empty. */
  cases: list(text),
  /** Asks the configured models instead of the record. */
  live: flag,
  /** Also returns a JUnit report. */
  junit: flag,
  /** What all live cases together may use. */
  budgets: z.record(text, number).exactOptional(),
});
export interface EvalRunRequest extends TypeOf<typeof runRequest> {
  readonly signal?: AbortSignal;
  /** Called before each case and after the last one. */
  readonly onProgress?: (done: number, total: number, name?: string) => void;
}
const runAnswer = z.object({ passed: flag, results: list(evalResult), junit: text.exactOptional() });
export type EvalRunAnswer = TypeOf<typeof runAnswer>;

const showAnswer = evalItem.extend({
  acceptance: list(json),
  steps: list(
    z.object({
      run: text,
      step: number,
      state: text,
      decision: json,
      policy: text.exactOptional(),
      asksModel: flag,
    }),
  ),
});
export type EvalShowAnswer = TypeOf<typeof showAnswer>;

const updateAnswer = z.object({ updated: list(z.object({ name: text, decisions: number })) });
export type EvalUpdateAnswer = TypeOf<typeof updateAnswer>;

/** Recorded runs as regression tests. */
export interface EvalApi {
  /** Makes an ended run a case. */
  add(request: TypeOf<typeof addRequest>): Promise<EvalAddAnswer>;
  list(): Promise<readonly EvalItem[]>;
  show(name: string): Promise<EvalShowAnswer>;
  /** Repeats the decisions of cases with the current workspace. Records nothing and has no effects. */
  run(request: EvalRunRequest): Promise<EvalRunAnswer>;
  /** Makes the current decisions the expected ones. */
  update(cases: readonly string[]): Promise<EvalUpdateAnswer>;
}

export const evalSchemas: SchemasOf<EvalApi> = {
  add: [[addRequest], addAnswer],
  list: [[], list(evalItem)],
  show: [[{ name: text }], showAnswer],
  run: [[runRequest], runAnswer],
  update: [[{ cases: list(text) }], updateAnswer],
};
