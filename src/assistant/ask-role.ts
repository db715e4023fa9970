import { modelOfRun } from '../agent/index.ts';
import type { ModelUse, PlanInput, Spend } from '../engine/index.ts';
import { isOkaError, type Json, OkaError } from '../kernel/index.ts';
import { openPack, packIn, type ReadPackText } from '../memory/index.ts';
import { collectAnswer, digestOfRequest, type ModelAnswer, type ModelRequest } from '../models/index.ts';
import { cut, type Heard, type Role } from './moves.ts';
import type { AssistantKindOptions } from './ports.ts';
import { asObject } from './progress.ts';
import type { RoleRequest } from './role-request.ts';

/** Set aside for an answer before it is asked for; what it really took is charged after. */
const USUAL_OUTPUT_TOKENS = 2_000;
const LARGEST_ANSWER = 200_000;

/** What a question may cost at most. */
export function estimateOf({ tokens }: RoleRequest): Spend {
  return { model_calls: 1, input_tokens: tokens, output_tokens: USUAL_OUTPUT_TOKENS };
}

/** Asks a role, or takes its answer from the record when a decision is taken again. An answer that cannot be read is an answer too. */
export async function askRole(
  role: Role,
  question: RoleRequest,
  input: PlanInput,
  { models, onText, readPack }: AssistantKindOptions & PackReading,
): Promise<ModelUse> {
  if (input.recorded !== undefined) return recordedAnswer(role, question, input, { readPack });
  const found = await models?.find(modelOfRun(input));
  if (found === undefined) throw new OkaError('kernel.bug', 'a role was asked where there are no models.');
  const composed = await withPack(role, question, input, { readPack, contextTokens: found.contextTokens });
  const request: ModelRequest = { ...composed.request, model: found.model };
  const run = input.run.id;
  try {
    const stream = found.provider.stream(request, input.signal);
    return toUse(await collectAnswer(stream, (text) => onText?.({ run, text })), role, composed, request);
  } catch (error) {
    if (!isOkaError(error, 'models.malformed')) throw error;
    const heard: Heard = { role, problem: cut(error.message, 4_000) };
    return {
      provider: found.provider.name,
      model: found.model,
      requestDigest: digestOfRequest(request),
      response: heard,
      spend: estimateOf(composed),
      manifest: { ...composed.manifest, asked: request.model, cost: 'unknown' },
    };
  } finally {
    onText?.({ run, text: '', last: true });
  }
}

function toUse(answer: ModelAnswer, role: Role, composed: RoleRequest, request: ModelRequest): ModelUse {
  const { inputTokens = composed.tokens, outputTokens = Math.ceil(answer.text.length / 4) } = answer.usage;
  return {
    provider: answer.provider,
    model: answer.model,
    requestDigest: digestOfRequest(request),
    response: toHeard(answer, role),
    spend: {
      model_calls: 1,
      input_tokens: inputTokens,
      output_tokens: outputTokens,
      ...(typeof answer.cost === 'number' ? { cost_usd: answer.cost } : {}),
    },
    manifest: { ...composed.manifest, asked: request.model, cost: answer.cost ?? 'unknown' },
  };
}

function toHeard(answer: ModelAnswer, role: Role): Heard {
  if (answer.finish === 'refused')
    return { role, refused: cut(answer.text.trim(), 4_000) || 'it gave no reason.' };
  if (answer.json === undefined) return { role, problem: 'there is no JSON in it' };
  if (JSON.stringify(answer.json).length > LARGEST_ANSWER) {
    return { role, problem: `it is longer than ${LARGEST_ANSWER} characters` };
  }
  return { role, json: wellFormed(answer.json) };
}

/** The value with every text in it well formed, so that it can be put on record. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as Json[]).map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member as Json)]),
  );
}

/** Reads what the run's context pack names by id; without it only what the pack holds itself is shown. */
interface PackReading {
  readonly readPack?: ReadPackText | undefined;
}

/** The question of the planner with the newest pack of the run. The critic judges by what it is shown of the work alone. */
async function withPack(
  role: Role,
  question: RoleRequest,
  { evidence }: PlanInput,
  {
    readPack = async () => undefined,
    contextTokens,
  }: PackReading & { readonly contextTokens?: number | undefined },
): Promise<RoleRequest> {
  const recorded = role === 'planner' ? packIn(evidence) : undefined;
  if (recorded === undefined) return question;
  const { rules, known, manifest } = await openPack(recorded, readPack, contextTokens);
  const { request } = question;
  const [first, ...others] = request.messages;
  const window = contextTokens === undefined ? {} : { contextTokens };
  return {
    tokens: question.tokens,
    request: {
      ...request,
      system: joined(request.system, rules),
      messages: first === undefined ? [] : [{ ...first, content: joined(first.content, known) }, ...others],
    },
    manifest: { ...question.manifest, ...window, pack: manifest },
  };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** What the record has of this very question; nobody is asked. The digest is of the question as it would be put now. */
async function recordedAnswer(
  role: Role,
  question: RoleRequest,
  input: PlanInput,
  reading: PackReading,
): Promise<ModelUse> {
  const { recorded } = input;
  if (recorded?.response === undefined) {
    throw new OkaError(
      'engine.planner_failed',
      'a model would be asked here, and the record has no answer of one.',
    );
  }
  const { asked, contextTokens } = asObject(recorded.manifest);
  const window = typeof contextTokens === 'number' ? { contextTokens } : {};
  const { request } = await withPack(role, question, input, { ...reading, ...window });
  const model = typeof asked === 'string' ? asked : recorded.model;
  return { ...recorded, requestDigest: digestOfRequest({ ...request, model }) };
}
