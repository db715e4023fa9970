// Owns: working by rules when the model of a goal's run cannot be used.
// I1 Only before the model's first answer: what a model has begun is not continued by rules.
// I2 The failure is recorded as the model's answer, so that a replay decides the same without a model.
import type { Evidence, ModelUse, PlanInput, Spend } from '../../engine/index.ts';
import { asObject, type Json, type JsonObject, OkaError } from '../../kernel/index.ts';
import { digestOfRequest, type ModelRequest } from '../../models/index.ts';

/** The variable of a run whose goal may be reached by rules, and its value. */
export const FALLBACK: JsonObject = { fallback: 'rules' };

/** Why a model was not used. */
export interface LostModel {
  readonly model: string;
  readonly code: string;
  readonly message: string;
}

const LOST: readonly string[] = [
  'models.not_configured',
  'models.key_rejected',
  'models.unknown_model',
  'models.unreachable',
  'models.silent',
  'models.timed_out',
  'models.rate_limited',
];

/** Whether the goal of a run may be reached by rules although it has a model. */
export function isFree({ vars }: Pick<PlanInput, 'vars'>): boolean {
  return vars['fallback'] === FALLBACK['fallback'];
}

/** Whether a failure leaves a run without its model, and the run may go on without it. */
export function mayFallBack(run: Pick<PlanInput, 'vars'>, error: unknown): error is OkaError {
  if (!isFree(run) || !(error instanceof OkaError)) return false;
  return LOST.includes(error.code) || (error.code === 'models.request_failed' && error.transient);
}

/** The use of a model that gave no answer. */
export function lostUse(
  model = '',
  { request, manifest }: { readonly request: Omit<ModelRequest, 'model'>; readonly manifest: JsonObject },
  { code, message, data }: OkaError,
): ModelUse {
  const lost: LostModel = { model, code, message };
  return {
    provider: model,
    model,
    requestDigest: digestOfRequest({ ...request, model }),
    response: { lost: { ...lost } },
    spend: (data['spend'] ?? {}) as Spend,
    manifest: { ...manifest, asked: model },
    recovered: [{ kind: 'fallback_rules', subject: model, code, message }],
  };
}

export function lostIn(answer: Json | undefined): LostModel | undefined {
  const { lost } = asObject(answer);
  return lost as unknown as LostModel | undefined;
}

/** Why the model of a run was not used, if the run goes on by rules. */
export function lostModel(evidence: readonly Evidence[]): LostModel | undefined {
  return evidence
    .filter(({ source }) => source === 'model')
    .map(({ output }) => lostIn(output))
    .find((lost) => lost !== undefined);
}
