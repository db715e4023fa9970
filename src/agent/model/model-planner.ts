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
import { changedInput } from '../changed-input.ts';
import { modelOfRun } from '../choose-model.ts';
import type { AgentModels, HearText } from '../ports.ts';
import { type ComposedRequest, composeRequest } from './compose-request.ts';
import { firstMove, type Move, nextMove } from './next-move.ts';
import { type Said, toSaid } from './said.ts';

export interface ModelPlanning {
  readonly models: AgentModels;
  readonly onText?: HearText;
  /** Reads what the run's context pack names by id; without it only what the pack holds itself is shown. */
  readonly readPack?: ReadPackText;
}

/** Set aside for an answer before it is asked for; what it really took is charged after. */
const USUAL_OUTPUT_TOKENS = 1_000;

/** What planning the next step may cost at most; nothing where the model need not be asked. */
export function estimateWithModel(input: PlanInput): Spend {
  if (nextMove(input).kind === 'decide') return {};
  return { model_calls: 1, input_tokens: composeRequest(input).tokens, output_tokens: USUAL_OUTPUT_TOKENS };
}

/**
 * Plans with a model. The model is asked only when everything that it asked for has come to something; the ways between
 * the states, and every call of one turn after the first, follow from the record alone.
 */
export async function planWithModel(input: PlanInput, planning: ModelPlanning): Promise<Decision> {
  const move = nextMove(input);
  if (move.kind === 'decide') return move.decision;
  const heard = await askModel(input, planning).catch(unasked);
  if ('kind' in heard) return heard;
  const { said, use } = heard;
  const first = firstMove(input, { step: input.run.step, said, facts: [] }) as Extract<
    Move,
    { kind: 'decide' }
  >;
  return { ...first.decision, model: use };
}

/** Where no model could be asked nothing was spent, so the run ends by a decision that costs nothing. */
function unasked(error: unknown): Fail {
  if (!isOkaError(error, 'models.not_configured')) throw error;
  return { kind: 'fail', code: error.code, reason: error.message, rationale: 'no model could be asked' };
}

async function askModel(input: PlanInput, planning: ModelPlanning): Promise<{ said: Said; use: ModelUse }> {
  if (input.recorded !== undefined) return recordedAnswer(input, planning);
  const { provider, model, contextTokens } = await planning.models.find(modelOfRun(input));
  const pack = await packOf(input, planning, contextTokens);
  const composed = composeRequest(input, contextTokens, pack);
  const request: ModelRequest = { ...composed.request, model };
  const ask = (asked: ModelRequest): Promise<ModelAnswer> =>
    hearing(provider.stream(asked, input.signal), input.run.id, planning.onText);
  const answer = await ask(request).catch((error: unknown) => {
    // An answer that cannot be read is asked for once more, with the reason; everything else is final here.
    if (!isOkaError(error, 'models.malformed') || input.repair !== undefined) throw error;
    return undefined;
  });
  if (answer === undefined) {
    const again = composeRequest(
      changedInput(input, { repair: { answer: null, problem: 'it was malformed' } }),
      contextTokens,
      pack,
    );
    const second = { ...again.request, model };
    return toUse(await ask(second), again, second, 2);
  }
  return toUse(answer, composed, request, 1);
}

/** Reads an answer to its end, and lets somebody hear it meanwhile. */
async function hearing(
  stream: AsyncIterable<ModelDelta>,
  run: string,
  onText: HearText | undefined,
): Promise<ModelAnswer> {
  try {
    return await collectAnswer(stream, (text) => onText?.({ run, text }));
  } finally {
    onText?.({ run, text: '', last: true });
  }
}

function toUse(answer: ModelAnswer, composed: ComposedRequest, request: ModelRequest, calls: number) {
  const said = toSaid(answer);
  const { inputTokens = composed.tokens, outputTokens } = answer.usage;
  const use: ModelUse = {
    provider: answer.provider,
    model: answer.model,
    requestDigest: digestOfRequest(request),
    response: said as unknown as Json,
    spend: {
      model_calls: calls,
      input_tokens: inputTokens,
      output_tokens: outputTokens ?? Math.ceil(answer.text.length / 4),
      ...(typeof answer.cost === 'number' ? { cost_usd: answer.cost } : {}),
    },
    manifest: { ...composed.manifest, asked: request.model, cost: answer.cost ?? 'unknown' },
  };
  return { said, use };
}

/** What the record has of this very question; nobody is asked. The digest is of the question as it would be put now. */
async function recordedAnswer(
  input: PlanInput,
  planning: ModelPlanning,
): Promise<{ said: Said; use: ModelUse }> {
  const { recorded } = input;
  if (recorded?.response === undefined) {
    throw new OkaError(
      'engine.planner_failed',
      'a model would be asked here, and the record has no answer of one.',
    );
  }
  const { asked, contextTokens } = asObject(recorded.manifest);
  const window = typeof contextTokens === 'number' ? contextTokens : undefined;
  const { request } = composeRequest(input, window, await packOf(input, planning, window));
  const requestDigest = digestOfRequest({
    ...request,
    model: typeof asked === 'string' ? asked : recorded.model,
  });
  return { said: recorded.response as unknown as Said, use: { ...recorded, requestDigest } };
}

/** The newest pack of the run, with its texts as they can be read now. */
async function packOf(
  { evidence }: PlanInput,
  { readPack = READS_NOTHING }: ModelPlanning,
  contextTokens: number | undefined,
): Promise<OpenedPack | undefined> {
  const recorded = packIn(evidence);
  return recorded && openPack(recorded, readPack, contextTokens);
}

const READS_NOTHING: ReadPackText = async () => undefined;
