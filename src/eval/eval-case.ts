// Owns: the format of eval cases. A case is a copy of a recorded run with the decisions that are expected of it.
import * as z from 'zod';
import { type Json, type JsonObject, OkaError, parseJson } from '../kernel/index.ts';
import { LedgerEvent } from '../ledger/index.ts';

/** Changes only when a reader of this version could misunderstand the file. */
const FORMAT = 'oka-eval/1';

/** Longer blobs are stored in files of their own. */
const MAX_INLINE_LENGTH = 16_384;

const json = z.json() as z.ZodType<Json>;
const jsonObject = z.record(z.string(), json);
const decision = z.enum(['allow', 'ask', 'deny']);

/** The parts of a request to a model, by digest. */
const requestParts = z.strictObject({
  digest: z.string(),
  /** The blob with the system prompt. */
  system: z.string().optional(),
  messages: z.array(z.string()),
  tools: z.record(z.string(), z.string()),
  rest: z.string().describe('the digest of everything else: output schema, temperature'),
});

const expectedDecision = z.strictObject({
  at: z.int().describe('the index of the event that recorded the decision'),
  step: z.int(),
  state: z.string(),
  decision: json,
  policy: decision.optional().describe('what the policy decided about the call'),
  request: requestParts.optional().describe('the request to the model'),
  model: z.string().optional().describe('the model that is asked, as provider/model'),
});

const caseEvent = z.strictObject({
  index: z.int(),
  at: z.number(),
  type: z.string(),
  data: jsonObject,
  body: json.optional(),
});

const caseRun = z.strictObject({
  id: z.string(),
  parent: z.string().optional(),
  expected: z.array(expectedDecision),
  events: z.array(caseEvent).min(1),
});

/** A condition for the result of a case. People may add their own. */
const acceptance = z.union([
  z.strictObject({ ends: z.enum(['completed', 'failed', 'cancelled']) }),
  z.strictObject({ output_contains: z.string().min(1) }),
  z.strictObject({ output_equals: json }),
  z
    .strictObject({ criterion: jsonObject, task: z.string().optional() })
    .describe('a criterion, as tasks have'),
]);

const evalCase = z.strictObject({
  format: z.literal(FORMAT),
  name: z.string(),
  recorded: z.strictObject({
    run: z.string(),
    kind: z.string(),
    goal: z.string(),
    status: z.enum(['completed', 'failed', 'cancelled']),
    at: z.number(),
    used: z.record(z.string(), z.number()),
  }),
  acceptance: z.array(acceptance),
  runs: z.array(caseRun).min(1),
  /** The files that the run changed, as they were before: the blob with the text, or null for a path without a file. */
  files: z.record(z.string(), z.string().nullable()).optional(),
  /** Texts by digest: system prompts, pinned graphs, large outputs, files. The long ones are in `evals/blobs`. */
  blobs: z.record(z.string(), z.string()),
});

export type EvalCase = z.output<typeof evalCase>;
export type CaseRun = z.output<typeof caseRun>;
export type ExpectedDecision = z.output<typeof expectedDecision>;
export type RequestParts = z.output<typeof requestParts>;
export type Acceptance = z.output<typeof acceptance>;

/** Reads a case; `where` names it in errors. */
export function parseCase(text: string, where: string): EvalCase {
  const next = 'Repair it, or add it again with: oka eval add <run> --name <name>.';
  let value: unknown;
  try {
    value = parseJson(text);
  } catch (error) {
    throw new OkaError('eval.invalid', `${where} is not JSON: ${(error as Error).message}. ${next}`);
  }
  const { format } = (value ?? {}) as { format?: unknown };
  if (typeof format === 'string' && format !== FORMAT)
    throw new OkaError(
      'eval.invalid',
      `${where} has the format ${format}; this version of oka reads ${FORMAT}.`,
    );
  const parsed = evalCase.safeParse(value);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue?.path.join('.') || 'the file';
  throw new OkaError('eval.invalid', `${where} is not an eval case: ${place}: ${issue?.message}. ${next}`, {
    data: { path: issue?.path.map(String) ?? [] },
  });
}

/** A case without its format, as it is made. */
export function newCase(parts: Omit<EvalCase, 'format'>): EvalCase {
  return { format: FORMAT, ...parts };
}

/** The text of a case, and the blobs that are too long for it. */
export function caseToText(one: EvalCase): {
  readonly text: string;
  readonly blobs: ReadonlyMap<string, string>;
} {
  const inline: Record<string, string> = {};
  const blobs = new Map<string, string>();
  for (const [digest, blob] of Object.entries(one.blobs)) {
    if (blob.length > MAX_INLINE_LENGTH) blobs.set(digest, blob);
    else inline[digest] = blob;
  }
  return { text: `${JSON.stringify({ ...one, blobs: inline }, null, 2)}\n`, blobs };
}

/** The events of a run in a case, as the ledger would return them. */
export function caseEvents(run: CaseRun): readonly LedgerEvent[] {
  return run.events.map(
    ({ index, at, type, data, body }) =>
      new LedgerEvent(
        {
          ...{ seq: index + 1, stream: `run/${run.id}`, index, type, at, actor: 'eval', ends: true },
          dataText: JSON.stringify(data),
          bodyText: body === undefined ? null : JSON.stringify(body),
          ...{ salt: null, bodyDigest: null, chain: '' },
        },
        data,
        body,
      ),
  );
}

/** A stored copy of an event. Preimages are left out: they hold whole files, and a replay does not undo anything. */
export function toCaseEvent(event: LedgerEvent): CaseRun['events'][number] {
  const { index, at, type, data, body } = event;
  if (body === undefined) return { index, at, type, data };
  if (type !== 'tool.intended') return { index, at, type, data, body };
  const { preimage: _, ...rest } = body as JsonObject;
  return { index, at, type, data, body: rest };
}

/** A file name for a goal. */
export function nameForGoal(goal: string, run: string): string {
  const words = goal.toLowerCase().match(/[a-z0-9]+/g) ?? [];
  const short = words.join('-').slice(0, 40).replace(/-+$/, '');
  return `${short === '' ? 'run' : short}-${run.slice(-6)}`;
}
