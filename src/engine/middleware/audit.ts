import { canonicalJson, type Json, type Redactor, toFailure } from '../../kernel/index.ts';
import type { BuiltInMiddleware, ToolCall, ToolOutcome } from '../middleware.ts';
import { isLongerThan, MAX_OUTPUT_BYTES } from '../output-size.ts';

const PREVIEW_CHARACTERS = 2_000;

/** The recorded reference to an output that is too large for the ledger. */
interface LargeOutput {
  readonly artifact: string;
  readonly bytes: number;
  readonly preview: string;
}

/** True for a reference to a large output, which the tool's schema does not describe. */
export function isLargeOutput(output: Json): boolean {
  const keys = output === null || typeof output !== 'object' ? [] : Object.keys(output);
  return keys.length === 3 && ['artifact', 'bytes', 'preview'].every((key) => keys.includes(key));
}

/** Makes outputs recordable: plain JSON, and no larger than the ledger should hold. */
export function audit(maxOutputBytes: number, redactor: Redactor): BuiltInMiddleware {
  const store = async (call: ToolCall, whole: Json): Promise<ToolOutcome> => {
    const text = canonicalJson(redactor.tagged(whole));
    const about = { mediaType: 'application/json', name: `${call.tool.name}.json` };
    const ref = await call.context.emitArtifact(text, about);
    const output = {
      artifact: ref.digest,
      bytes: ref.bytes,
      preview: text.slice(0, PREVIEW_CHARACTERS).toWellFormed(),
    } satisfies LargeOutput;
    return { kind: 'output', output };
  };
  const afterTool = (call: ToolCall, outcome: ToolOutcome): ToolOutcome | Promise<ToolOutcome> => {
    if (outcome.kind !== 'output') return outcome;
    const small = isSmall(outcome.output);
    if (!small && isLongerThan(outcome.output, MAX_OUTPUT_BYTES)) return refuseLarge(call);
    if (isLargeOutput(outcome.output)) {
      const message = `${call.tool.name} returned an output that looks like an artifact reference. Only the engine creates those.`;
      return { kind: 'failure', failure: { code: 'engine.tool_output_invalid', message } };
    }
    if (small) return outcome;
    try {
      const { length } = canonicalJson(outcome.output);
      return length <= maxOutputBytes ? outcome : store(call, outcome.output);
    } catch (error) {
      return { kind: 'failure', failure: toFailure(error, 'engine.tool_output_invalid') };
    }
  };
  return { name: 'audit', afterTool };
}

function refuseLarge({ tool }: ToolCall): ToolOutcome {
  const message = `${tool.name} returned more than ${MAX_OUTPUT_BYTES} bytes. Request less, or change the tool to store the content with emitArtifact.`;
  const data = { tool: tool.name, limit: MAX_OUTPUT_BYTES };
  return { kind: 'failure', failure: { code: 'engine.output_too_large', message, data } };
}

/** Flat and short values are small and recordable, so they need not be serialized twice. */
function isSmall(value: Json): boolean {
  if (value === null || typeof value === 'boolean') return true;
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value !== 'object') return false;
  if (Object.getPrototypeOf(value) !== Object.prototype) return false;
  let size = 0;
  for (const key in value) {
    const member = (value as Record<string, unknown>)[key];
    if (++size > 32) return false;
    if (
      typeof member === 'string' ? member.length > 1_000 || !/^[\x20-\x7e]*$/.test(member) : !isScalar(member)
    )
      return false;
  }
  return true;
}

function isScalar(value: unknown): boolean {
  return (
    value === null || typeof value === 'boolean' || (typeof value === 'number' && Number.isFinite(value))
  );
}
