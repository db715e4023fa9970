import type { Decision, Fail, ModelUse, PlanInput, Spend } from '../../engine/index.ts';
import { asObject, isOkaError, type Json, OkaError } from '../../kernel/index.ts';
import { type OpenedPack, openPack, packIn, type ReadPackText } from '../../memory/index.ts';
import {
  collectAnswer,
  digestOfRequest,
  type ModelAnswer,
  type ModelDelta,
  type ModelRequest,
} from '../../models/index.ts';
import { modelOfRun } from '../choose-model.ts';
import { changedInput } from '../findings.ts';
import type { AgentModels, TextListener } from '../ports.ts';
import { type ComposedRequest, composeRequest } from './compose-request.ts';
import { firstDecision, nextDecision } from './next-move.ts';
import { type TurnAnswer, toTurnAnswer } from './turns.ts';

export interface ModelPlanning {
  readonly models: AgentModels;
  readonly onText?: TextListener;
  /** Reads the texts that the run's context pack names by id; without it only the texts inside the pack are used. */
  readonly readPack?: ReadPackText;
}

/** Reserved for an answer before the request; the actual usage is charged after it. */
const DEFAULT_OUTPUT_TOKENS = 1_000;

/** The estimated cost of planning the next step; nothing when no model call is needed. */
export function estimateWithModel(input: PlanInput): Spend {
  if (nextDecision(input) !== undefined) return {};
  return { model_calls: 1, input_tokens: composeRequest(input).tokens, output_tokens: DEFAULT_OUTPUT_TOKENS };
}

/**
 * Plans with a model. Calls the model only when all calls of its last turn are answered; transitions between states, and
 * every call of a turn after the first, follow from the record alone.
 */
export async function planWithModel(input: PlanInput, planning: ModelPlanning): Promise<Decision> {
  const decision = nextDecision(input);
  if (decision !== undefined) return decision;
  const asked = await askModel(input, planning).catch(failUnasked);
  if ('kind' in asked) return asked;
  const first = firstDecision(input, { step: input.run.step, answer: asked.answer, facts: [] });
  return { ...first, model: asked.use };
}

/** Without a model nothing was spent, so the run fails by a decision that costs nothing. */
function failUnasked(error: unknown): Fail {
  if (!isOkaError(error, 'models.not_configured')) throw error;
  return { kind: 'fail', code: error.code, reason: error.message, rationale: 'no model is configured' };
}

interface Asked {
  readonly answer: TurnAnswer;
  readonly use: ModelUse;
}

async function askModel(input: PlanInput, planning: ModelPlanning): Promise<Asked> {
  if (input.recorded !== undefined) return recordedAnswer(input, planning);
  const { provider, model, contextTokens } = await planning.models.find(modelOfRun(input));
  const pack = await packOf(input, planning, contextTokens);
  const composed = composeRequest(input, contextTokens, pack);
  const request: ModelRequest = { ...composed.request, model };
  const ask = (asked: ModelRequest): Promise<ModelAnswer> =>
    collectText(provider.stream(asked, input.signal), input.run.id, planning.onText);
  let malformed = '';
  const answer = await ask(request).catch((error: unknown) => {
    // A malformed answer is requested once more, with the reason; every other error is final.
    if (!isOkaError(error, 'models.malformed') || input.repair !== undefined) throw error;
    malformed = error.message;
    return undefined;
  });
  if (answer === undefined) {
    const again = composeRequest(
      changedInput(input, { repair: { answer: null, problem: 'it was malformed' } }),
      contextTokens,
      pack,
    );
    const second = { ...again.request, model };
    return toUse(await ask(second), again, second, malformed);
  }
  return toUse(answer, composed, request);
}

/** Reads an answer to its end, and passes its text to the listener. */
async function collectText(
  stream: AsyncIterable<ModelDelta>,
  run: string,
  onText: TextListener | undefined,
): Promise<ModelAnswer> {
  try {
    return await collectAnswer(stream, (text) => onText?.({ run, text }));
  } finally {
    onText?.({ run, text: '', last: true });
  }
}

/** `malformed`: why the answer before this one could not be used. */
function toUse(
  answer: ModelAnswer,
  composed: ComposedRequest,
  request: ModelRequest,
  malformed?: string,
): Asked {
  const recorded = toTurnAnswer(answer);
  const { inputTokens = composed.tokens, outputTokens } = answer.usage;
  const use: ModelUse = {
    provider: answer.provider,
    model: answer.model,
    requestDigest: digestOfRequest(request),
    response: recorded as unknown as Json,
    spend: {
      model_calls: malformed === undefined ? 1 : 2,
      input_tokens: inputTokens,
      output_tokens: outputTokens ?? Math.ceil(answer.text.length / 4),
      ...(typeof answer.cost === 'number' ? { cost_usd: answer.cost } : {}),
    },
    manifest: { ...composed.manifest, asked: request.model, cost: answer.cost ?? 'unknown' },
    ...recoveredFrom(answer, malformed),
  };
  return { answer: recorded, use };
}

/** The failures on the way to an answer; nothing if there were none. */
export function recoveredFrom(
  { recovered = [] }: Pick<ModelAnswer, 'recovered'>,
  problem?: string,
): Pick<ModelUse, 'recovered'> {
  const repair = problem === undefined ? [] : [{ kind: 'repair' as const, message: problem }];
  return recovered.length + repair.length === 0 ? {} : { recovered: [...repair, ...recovered] };
}

/** The recorded answer to this request. The digest is of the request as it would be sent now. */
async function recordedAnswer(input: PlanInput, planning: ModelPlanning): Promise<Asked> {
  const { recorded } = input;
  if (recorded?.response === undefined) {
    throw new OkaError(
      'engine.planner_failed',
      'this step needs a model, and the record has no answer of one.',
    );
  }
  const { asked, contextTokens } = asObject(recorded.manifest);
  const window = typeof contextTokens === 'number' ? contextTokens : undefined;
  const { request } = composeRequest(input, window, await packOf(input, planning, window));
  const requestDigest = digestOfRequest({
    ...request,
    model: typeof asked === 'string' ? asked : recorded.model,
  });
  return { answer: recorded.response as unknown as TurnAnswer, use: { ...recorded, requestDigest } };
}

/** The newest pack of the run, with its current texts. */
async function packOf(
  { evidence }: PlanInput,
  { readPack = READ_NOTHING }: ModelPlanning,
  contextTokens: number | undefined,
): Promise<OpenedPack | undefined> {
  const recorded = packIn(evidence);
  return recorded && openPack(recorded, readPack, contextTokens);
}

const READ_NOTHING: ReadPackText = async () => undefined;
