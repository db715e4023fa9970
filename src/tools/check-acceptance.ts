import * as z from 'zod';
import { type CheckableCriterion, checkableCriterion, cut, type PolicyRefusal } from '../assistant/index.ts';
import { type RunId, requireCapability, type Tool, type ToolContext } from '../engine/index.ts';
import {
  isOkaError,
  type Json,
  type JsonObject,
  OkaError,
  parseJson,
  readPath,
  sameJson,
} from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool, READS } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import type { Files, StateReader } from './ports.ts';

const MAX_FILE_BYTES = 8 * 1024 * 1024;
const MAX_CRITERIA = 200;
const MAX_SHOWN_LENGTH = 120;
/** Keeps the evidence of all criteria small enough for the ledger. */
const MAX_EVIDENCE_LENGTH = 240;

/** Finds the refused calls of a run and its child runs. Provided as the capability `refusals`. */
export interface RefusalReader {
  below(run: RunId): Promise<readonly PolicyRefusal[]>;
}

const finding = z.strictObject({ ok: z.boolean(), evidence: z.string() });
type Finding = z.output<typeof finding>;

export const checkAcceptance: Tool = defineTool({
  name: 'assistant.check',
  description:
    'Checks criteria, such as that a file exists or contains a text, and returns the evidence for each, in order.',
  input: z.strictObject({ criteria: z.array(checkableCriterion).min(1).max(MAX_CRITERIA) }),
  output: z.strictObject({ results: z.array(finding) }),
  ...READS,
  async handler({ criteria }, context) {
    const results: Finding[] = [];
    for (const criterion of criteria) {
      context.signal.throwIfAborted();
      results.push(await check(criterion, context));
    }
    return { results };
  },
});

/** A criterion that cannot be checked is not met; the evidence says why. */
async function check(criterion: CheckableCriterion, context: ToolContext): Promise<Finding> {
  try {
    return await evaluate(criterion, context);
  } catch (error) {
    if (isOkaError(error) && /^(files|kernel|engine)\./.test(error.code)) return no(error.message);
    throw error;
  }
}

async function evaluate(criterion: CheckableCriterion, context: ToolContext): Promise<Finding> {
  if ('file_exists' in criterion) return fileExists(criterion.file_exists, context);
  if ('file_contains' in criterion) {
    const { path, text } = criterion.file_contains;
    const found = (await textOf(path, context)).includes(text);
    return found
      ? yes(`"${path}" contains it`)
      : no(`"${path}" does not contain ${JSON.stringify(cut(text, MAX_SHOWN_LENGTH))}.`);
  }
  if ('file_matches_schema' in criterion) {
    const { path, schema } = criterion.file_matches_schema;
    return fitsSchema(path, schema as JsonObject, context);
  }
  if ('json_path_equals' in criterion) {
    const { path, json_path: place, equals } = criterion.json_path_equals;
    const found = readPath(await jsonOf(path, context), place.replace(/^\$\.?/, ''));
    if (found === undefined) return no(`"${path}" has nothing at ${place}.`);
    const shown = cut(JSON.stringify(found), MAX_SHOWN_LENGTH);
    return sameJson(found, equals) ? yes(`it is ${shown}`) : no(`it is ${shown}.`);
  }
  return 'graph_completed' in criterion
    ? graphCompleted(criterion.graph_completed, context)
    : nothingRefused(context);
}

async function fileExists(path: string, context: ToolContext): Promise<Finding> {
  const entry = await filesOf(context).stat(path);
  if (entry === undefined) return no(`"${path}" does not exist.`);
  return entry.kind === 'file'
    ? yes(`it has ${entry.bytes} bytes`)
    : no(`"${path}" is a ${entry.kind}, not a file.`);
}

async function fitsSchema(path: string, schema: JsonObject, context: ToolContext): Promise<Finding> {
  const problem = schemaProblem(schema);
  if (problem !== undefined) return no(problem);
  const value = await jsonOf(path, context);
  try {
    const result = z.fromJSONSchema(schema as never, { registry: z.registry() }).safeParse(value);
    if (result.success) return yes(`"${path}" matches`);
    const issues = result.error.issues.map(({ path: place, message }) => `${place.join('.')}: ${message}`);
    return no(`"${path}" does not match: ${cut(issues.join('; '), MAX_SHOWN_LENGTH)}.`);
  } catch (error) {
    return no(`the schema cannot be used: ${cut(String(error), MAX_SHOWN_LENGTH)}`);
  }
}

async function graphCompleted(graph: string, context: ToolContext): Promise<Finding> {
  const state = requireCapability<StateReader>(context, 'state');
  const [newest] = await state.priorRuns({ graph, except: context.runId, limit: 1 });
  if (newest === undefined) return no(`the graph "${graph}" has not been run.`);
  const said = `the newest run of "${graph}", ${newest.id}, is ${newest.status}`;
  return newest.status === 'completed' ? yes(said) : no(`${said}.`);
}

async function nothingRefused(context: ToolContext): Promise<Finding> {
  const refused = await requireCapability<RefusalReader>(context, 'refusals').below(context.runId);
  const [first] = refused;
  if (first === undefined) return yes('nothing was refused');
  return no(
    `${refused.length} calls were refused, the first in run ${first.run}: ${cut(first.message, MAX_SHOWN_LENGTH)}`,
  );
}

const KEYWORDS = new Set([
  ...['$schema', '$id', '$comment', 'title', 'description', 'default', 'examples'],
  ...['type', 'enum', 'const', 'required', 'properties', 'additionalProperties', 'items', 'prefixItems'],
  ...['contains', 'anyOf', 'oneOf', 'allOf', '$defs', 'definitions', 'minProperties', 'maxProperties'],
  ...['minItems', 'maxItems', 'uniqueItems', 'minLength', 'maxLength', 'minimum', 'maximum'],
  ...['exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'],
]);
const NAMED_SCHEMAS = new Set(['properties', '$defs', 'definitions']);
const VALUES = new Set(['enum', 'const', 'default', 'examples']);

const NEEDS_TYPE = ['properties', 'required', 'additionalProperties', 'items', 'prefixItems', 'contains'];

/** The first part of a schema that this check does not support. Such a schema is rejected, so that nothing goes unchecked. */
function schemaProblem(schema: Json): string | undefined {
  if (schema === null || typeof schema !== 'object') return undefined;
  if (Array.isArray(schema)) return first(schema as Json[], schemaProblem);
  if (!('type' in schema) && NEEDS_TYPE.some((keyword) => keyword in schema))
    return 'a part of the schema has no "type"; set it to object or array.';
  const { required = [], properties = {} } = schema as JsonObject;
  const names = Array.isArray(required) ? (required as Json[]).map(String) : [];
  const undescribed = names.find((name) => !Object.hasOwn(properties as object, name));
  if (undescribed !== undefined)
    return `the schema requires "${undescribed}", which is not in "properties"; add it there, for example as {}.`;
  return first(Object.entries(schema as Record<string, Json>), ([keyword, value]) => {
    if (!KEYWORDS.has(keyword)) return `the schema uses "${keyword}", which is not supported; remove it.`;
    if (VALUES.has(keyword)) return undefined;
    return NAMED_SCHEMAS.has(keyword) && value !== null && typeof value === 'object'
      ? first(Object.values(value) as Json[], schemaProblem)
      : schemaProblem(value);
  });
}

function first<Item>(items: readonly Item[], find: (item: Item) => string | undefined): string | undefined {
  for (const item of items) {
    const found = find(item);
    if (found !== undefined) return found;
  }
  return undefined;
}

async function jsonOf(path: string, context: ToolContext): Promise<Json> {
  const text = await textOf(path, context);
  try {
    return parseJson(text) as Json;
  } catch {
    throw notReadable(`"${path}" is not JSON.`);
  }
}

async function textOf(path: string, context: ToolContext): Promise<string> {
  const { content, truncated } = await filesOf(context).read(path, { maxBytes: MAX_FILE_BYTES });
  const text = truncated ? undefined : decodeText(content, false);
  if (text === undefined) throw notReadable(`"${path}" is not text, or larger than ${MAX_FILE_BYTES} bytes.`);
  return text;
}

function notReadable(message: string): OkaError<ToolsErrorCode> {
  return new OkaError('files.not_text', message);
}

function filesOf(context: ToolContext): Files {
  return requireCapability<Files>(context, 'files');
}

function yes(evidence: string): Finding {
  return { ok: true, evidence: cut(evidence, MAX_EVIDENCE_LENGTH) };
}

function no(evidence: string): Finding {
  return { ok: false, evidence: cut(evidence, MAX_EVIDENCE_LENGTH) };
}
