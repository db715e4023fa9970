import { modelOfRun, recoveredFrom } from '../agent/index.ts';
import type { BudgetName, ModelUse, PlanInput, Spend } from '../engine/index.ts';
import { asObject, isOkaError, type Json, type JsonObject, OkaError, toJson } from '../kernel/index.ts';
import { openPack, packIn, type ReadPackText } from '../memory/index.ts';
import {
  type AskedModel,
  answerLimit,
  askModel,
  digestOfRequest,
  type ModelAnswer,
  type ModelDirectory,
  type ModelRequest,
  reservationFor,
} from '../models/index.ts';
import { cut, type Role, type RoleAnswer } from './moves.ts';
import type { AssistantKindOptions } from './ports.ts';
import type { RoleRequest } from './role-request.ts';

const MAX_ANSWER_SIZE = 200_000;

/** What a question to a role costs at most. */
export async function estimateRole(
  { tokens }: RoleRequest,
  input: PlanInput,
  models: ModelDirectory,
  left: (name: BudgetName) => number,
): Promise<Spend> {
  const found = await models.find(modelOfRun(input));
  return { ...reservationFor(tokens, found, left) };
}

/** Asks a role, or returns the recorded answer during replay. An unreadable answer is recorded too. */
export async function askRole(
  role: Role,
  question: RoleRequest,
  input: PlanInput,
  { models, onText, readPack }: AssistantKindOptions,
): Promise<ModelUse> {
  if (input.recorded !== undefined) return recordedAnswer(role, question, input, readPack);
  const found = await models?.find(modelOfRun(input));
  if (found === undefined) throw new OkaError('kernel.bug', 'askRole was called without a model.');
  const composed = await withPack(role, question, input, readPack, found.contextTokens);
  const run = input.run.id;
  onText?.({ run, text: '', model: found.model });
  try {
    const asked = await askModel(found, composed.request, {
      signal: input.signal,
      sentTokens: composed.tokens,
      reserved: input.reserved,
      reserve: input.reserve && ((total) => input.reserve?.({ ...total }) ?? Promise.resolve(false)),
      onText: (text) => onText?.({ run, text }),
    });
    return toUse(asked, role, composed);
  } catch (error) {
    if (!isOkaError(error, 'models.malformed')) throw error;
    const answer: RoleAnswer = { role, problem: cut(error.message, 4_000) };
    const request: ModelRequest = {
      ...composed.request,
      model: found.model,
      ...answerLimit(input.reserved),
    };
    const spend = error.data['spend'] as Spend;
    return {
      provider: found.provider.name,
      model: found.model,
      requestDigest: digestOfRequest(request),
      response: answer,
      spend,
      manifest: manifestOf(composed, request, spend.cost_usd ?? 'unknown'),
    };
  } finally {
    onText?.({ run, text: '', last: true });
  }
}

function manifestOf(
  { manifest }: RoleRequest,
  { model: asked, maxOutputTokens }: ModelRequest,
  cost: number | 'unknown',
): JsonObject {
  return { ...manifest, asked, cost, ...(maxOutputTokens === undefined ? {} : { maxOutputTokens }) };
}

function toUse({ answer, request, spend }: AskedModel, role: Role, composed: RoleRequest): ModelUse {
  return {
    provider: answer.provider,
    model: answer.model,
    requestDigest: digestOfRequest(request),
    response: toRoleAnswer(answer, role),
    spend: { ...spend },
    manifest: manifestOf(composed, request, spend.cost_usd ?? 'unknown'),
    ...recoveredFrom(answer, composed.problem),
  };
}

function toRoleAnswer(answer: ModelAnswer, role: Role): RoleAnswer {
  if (answer.json === undefined) return { role, problem: 'it contains no JSON' };
  if (JSON.stringify(answer.json).length > MAX_ANSWER_SIZE) {
    return { role, problem: `it is longer than ${MAX_ANSWER_SIZE} characters` };
  }
  return { role, json: wellFormed(answer.json) };
}

/** Makes every string well formed, so that the value can be recorded. */
function wellFormed(value: Json): Json {
  if (typeof value === 'string') return value.toWellFormed();
  if (value === null || typeof value !== 'object') return value;
  if (Array.isArray(value)) return (value as Json[]).map(wellFormed);
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [name.toWellFormed(), wellFormed(member as Json)]),
  );
}

/** Adds the newest context pack of the run to the planner's question. The critic sees only the work. */
async function withPack(
  role: Role,
  question: RoleRequest,
  { evidence }: PlanInput,
  readPack: ReadPackText = async () => undefined,
  contextTokens?: number,
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
    ...(question.problem === undefined ? {} : { problem: question.problem }),
  };
}

function joined(...parts: readonly (string | undefined)[]): string {
  return parts.filter((part) => part !== undefined && part !== '').join('\n\n');
}

/** Returns the recorded answer without a model call. The digest is computed from the question as it would be asked now. */
async function recordedAnswer(
  role: Role,
  question: RoleRequest,
  input: PlanInput,
  readPack: ReadPackText | undefined,
): Promise<ModelUse> {
  const { recorded } = input;
  if (recorded?.response === undefined) {
    throw new OkaError('engine.planner_failed', 'Replay reached a model call that has no recorded answer.');
  }
  const { asked, contextTokens, maxOutputTokens } = asObject(recorded.manifest);
  const window = typeof contextTokens === 'number' ? contextTokens : undefined;
  const { request } = await withPack(role, question, input, readPack, window);
  const whole: ModelRequest = {
    ...request,
    model: typeof asked === 'string' ? asked : recorded.model,
    ...(typeof maxOutputTokens === 'number' ? { maxOutputTokens } : {}),
  };
  return { ...recorded, requestDigest: digestOfRequest(whole), request: toJson(whole) };
}
