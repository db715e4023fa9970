import * as z from 'zod';
import type { Json, JsonObject } from '../kernel/index.ts';
import { describe } from './task-graph.ts';

const verdictSchema = z.strictObject({
  verdicts: z
    .array(
      z.strictObject({
        criterion: z.string().min(1).max(100).describe('the id of the criterion'),
        met: z.boolean(),
        evidence: z.string().trim().min(1).max(2_000).describe('the proof, from what you were shown'),
      }),
    )
    .max(200),
});

export type Verdict = z.output<typeof verdictSchema>['verdicts'][number];

export function verdictJsonSchema(): JsonObject {
  return z.toJSONSchema(verdictSchema) as JsonObject;
}

/** Returns one verdict per criterion id, or why the answer is unusable. */
export function parseVerdicts(
  value: Json,
  ids: readonly string[],
): { readonly verdicts: ReadonlyMap<string, Verdict> } | { readonly problem: string } {
  const parsed = verdictSchema.safeParse(value);
  if (!parsed.success) return { problem: describe(parsed.error) };
  const verdicts = new Map<string, Verdict>();
  for (const verdict of parsed.data.verdicts) {
    if (!ids.includes(verdict.criterion)) return { problem: `"${verdict.criterion}" was not asked about` };
    if (verdicts.has(verdict.criterion)) return { problem: `"${verdict.criterion}" was judged twice` };
    verdicts.set(verdict.criterion, verdict);
  }
  const missing = ids.find((id) => !verdicts.has(id));
  return missing === undefined ? { verdicts } : { problem: `"${missing}" was not judged` };
}
