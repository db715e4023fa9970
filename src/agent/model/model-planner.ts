import type { BudgetName, Decision, Fail, ModelUse, PlanInput, Spend } from '../../engine/index.ts';
import { asObject, isOkaError, type Json, OkaError, toJson } from '../../kernel/index.ts';
import { type OpenedPack, openPack, packIn, type ReadPackText } from '../../memory/index.ts';
import {
  type AskedModel,
  askModel,
  digestOfRequest,
  type ModelAnswer,
  type ModelDirectory,
  type ModelRequest,
  reservationFor,
} from '../../models/index.ts';
import { modelOfRun } from '../choose-model.ts';
import type { DeterministicPlanner } from '../deterministic-planner.ts';
import { changedInput } from '../findings.ts';
import type { TextListener } from '../ports.ts';
import { type ComposedRequest, composeRequest } from './compose-request.ts';
import { type LostModel, lostIn, lostUse, mayFallBack } from './lost-model.ts';
import { firstDecision, nextDecision } from './next-move.ts';
import { answersTask, problemWithTaskResult } from './task-result.ts';
import { readTurns, type TurnAnswer, toTurnAnswer } from './turns.ts';

/** The longest pause before a retry within one call, for runs that can wait for a busy model. */
const LONGEST_PAUSE_MS = 2_000;

export interface ModelPlanning {
  readonly models: ModelDirectory;
  readonly onText?: TextListener;
  /** Reads the texts that the run's context pack names by id; without it only the texts inside the pack are used. */
  readonly readPack?: ReadPackText;
}

/** What planning the next step costs at most; nothing when no model call is needed. */
export async function estimateWithModel(
  input: PlanInput,
  { models }: ModelPlanning,
  left: (name: BudgetName) => number,
): Promise<Spend> {
  if (nextDecision(input) !== undefined) return {};
  const found = await models.find(modelOfRun(input)).catch((error: unknown) => {
    // Planning fails for the same reason.
    if (isOkaError(error, 'models.not_configured')) return undefined;
    throw error;
  });
  if (found === undefined) return {};
  return { ...reservationFor(composeRequest(input, found.contextTokens).tokens, found, left) };
}

/**
 * Plans with a model. Calls the model only when all calls of its last turn are answered; transitions between states, and
 * every call of a turn after the first, follow from the record alone.
 */
export async function planWithModel(
  input: PlanInput,
  planning: ModelPlanning,
  byRules: DeterministicPlanner,
): Promise<Decision> {
  const decision = nextDecision(input);
  if (decision !== undefined) return decision;
  const canFallBack = readTurns(input.evidence).turns.length === 0 && isCertain(input, byRules);
  const use = await useModel(input, planning)
    .catch((error: unknown) => {
      if (canFallBack && mayFallBack(input, error))
        return lostUse(modelOfRun(input), composeRequest(input), error);
      throw error;
    })
    .catch(failUnasked);
  if ('kind' in use) return use;
  const lost = lostIn(use.response);
  if (lost !== undefined) return decideByRules(input, byRules, use, lost);
  const answer = use.response as unknown as TurnAnswer;
  requireTaskResult(input, answer, use);
  const first = firstDecision(input, { step: input.run.step, answer, facts: [] });
  return { ...first, model: use };
}

/** An answer that ends a task must have its form. It is asked for once more. */
function requireTaskResult(
  { vars, recorded }: PlanInput,
  { text, calls }: TurnAnswer,
  { spend }: ModelUse,
): void {
  if (recorded !== undefined || !answersTask(vars) || calls.length > 0) return;
  const problem = problemWithTaskResult(text);
  if (problem !== undefined)
    throw new OkaError('engine.invalid_decision', problem, { data: { spend: { ...spend } } });
}

/** Whether the rules read a goal with certainty. */
function isCertain({ goal, allTools }: PlanInput, byRules: DeterministicPlanner): boolean {
  const read = byRules.understand(goal, allTools);
  return read.by !== 'nothing' && read.missing.length === 0;
}

async function decideByRules(
  input: PlanInput,
  byRules: DeterministicPlanner,
  model: ModelUse,
  lost: LostModel,
): Promise<Decision> {
  const decision = await byRules.plan(input);
  const rationale = `the model ${lost.model} cannot be used (${lost.code}), so rules plan: ${decision.rationale}`;
  return { ...decision, rationale, model };
}

/** Failures before the provider has read the request: only the user can fix them. */
const UNUSABLE = ['models.not_configured', 'models.key_rejected', 'models.unknown_model'] as const;

/** Without a usable model nothing was spent, so the run fails by a decision that costs nothing. */
function failUnasked(error: unknown): Fail {
  if (!isOkaError(error, UNUSABLE)) throw error;
  return { kind: 'fail', code: error.code, reason: error.message, rationale: 'the model cannot be used' };
}

/** Failures of an answer that a model may give properly when it is asked once more, with the reason. */
const REPAIRABLE = ['models.malformed', 'models.answer_empty'] as const;

async function useModel(input: PlanInput, planning: ModelPlanning): Promise<ModelUse> {
  if (input.recorded !== undefined) return recordedAnswer(input, planning);
  const found = await planning.models.find(modelOfRun(input));
  const pack = await packOf(input, planning, found.contextTokens);
  const composed = composeRequest(input, found.contextTokens, pack);
  const purpose = {
    ...composed.request.purpose,
    // A longer wait is recorded, so that it survives this process.
    ...(input.budgets.wait_ms === undefined ? {} : { maxPauseMs: LONGEST_PAUSE_MS }),
  };
  const run = input.run.id;
  planning.onText?.({ run, text: '', model: found.model });
  try {
    const asked = await askModel(
      found,
      { ...composed.request, purpose },
      {
        signal: input.signal,
        sentTokens: composed.tokens,
        reserved: input.reserved,
        reserve: input.reserve && ((total) => input.reserve?.({ ...total }) ?? Promise.resolve(false)),
        onText: (text) => planning.onText?.({ run, text }),
      },
    );
    return toUse(asked, composed, input.repair);
  } catch (error) {
    if (!isOkaError(error, REPAIRABLE) || input.repair !== undefined) throw error;
    const { message, data, transient } = error;
    throw new OkaError('engine.invalid_decision', message, { data, transient, cause: error });
  } finally {
    planning.onText?.({ run, text: '', last: true });
  }
}

function toUse(
  { answer, request, spend }: AskedModel,
  { manifest }: ComposedRequest,
  repair: PlanInput['repair'],
): ModelUse {
  return {
    provider: answer.provider,
    model: answer.model,
    requestDigest: digestOfRequest(request),
    response: toTurnAnswer(answer) as unknown as Json,
    spend: { ...spend },
    manifest: {
      ...manifest,
      asked: request.model,
      cost: spend.cost_usd ?? 'unknown',
      ...(request.maxOutputTokens === undefined ? {} : { maxOutputTokens: request.maxOutputTokens }),
      ...(repair === undefined ? {} : { repair: { ...repair } }),
    },
    ...recoveredFrom(answer),
  };
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
async function recordedAnswer(input: PlanInput, planning: ModelPlanning): Promise<ModelUse> {
  const { recorded } = input;
  if (recorded?.response === undefined) {
    throw new OkaError(
      'engine.planner_failed',
      'this step needs a model, and the record has no answer of one.',
    );
  }
  const { asked, contextTokens, maxOutputTokens, repair } = asObject(recorded.manifest);
  const window = typeof contextTokens === 'number' ? contextTokens : undefined;
  const composed = composeRequest(
    changedInput(input, repairIn(repair, recorded)),
    window,
    await packOf(input, planning, window),
  );
  const request: ModelRequest = {
    ...composed.request,
    model: typeof asked === 'string' ? asked : recorded.model,
    ...(typeof maxOutputTokens === 'number' ? { maxOutputTokens } : {}),
  };
  return { ...recorded, requestDigest: digestOfRequest(request), request: toJson(request) };
}

/** What the request said about an unusable answer before. Earlier versions recorded only that there were two calls. */
function repairIn(repair: Json | undefined, { spend }: ModelUse): Pick<PlanInput, 'repair'> {
  if (repair !== undefined) return { repair: repair as unknown as NonNullable<PlanInput['repair']> };
  return (spend.model_calls ?? 1) > 1 ? { repair: { answer: null, problem: 'it was malformed' } } : {};
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
