// Owns: one call of a model by a planner or a tool, from the request to a finished answer and its cost.
import { isOkaError, OkaError } from '../kernel/index.ts';
import { collectAnswer } from './collect-answer.ts';
import { requireFinished } from './finished-answer.ts';
import { ModelAccount } from './model-account.ts';
import { answerLimit, type ModelSpend } from './model-spend.ts';
import type { FoundModel } from './ports.ts';
import type { ModelAnswer, ModelRequest } from './types.ts';

export interface Asking {
  readonly signal: AbortSignal;
  /** The estimated size of the request. */
  readonly sentTokens: number;
  /** What was reserved for the first request. */
  readonly reserved?: ModelSpend | undefined;
  /** Reserves the total of all requests of this call; false if the budgets do not cover it. */
  readonly reserve?: ((total: ModelSpend) => Promise<boolean>) | undefined;
  /** Receives the text as it arrives. Without it the answer is not streamed. */
  readonly onText?: ((text: string) => void) | undefined;
}

export interface AskedModel {
  readonly answer: ModelAnswer;
  /** The request as it was sent, with the limit of the answer. */
  readonly request: ModelRequest;
  readonly spend: ModelSpend;
}

/** Failures before anything was sent. */
const UNSENT = ['models.not_configured', 'models.script_invalid'] as const;

/**
 * Asks a model. Fails unless the answer is finished; the error's data then has the `spend` of all requests, the failed ones as
 * `recovered`, and the `received` text.
 */
export async function askModel(
  found: FoundModel,
  question: Omit<ModelRequest, 'model'>,
  { signal, onText, ...terms }: Asking,
): Promise<AskedModel> {
  const request: ModelRequest = { ...question, model: found.model, ...answerLimit(terms.reserved) };
  const account = new ModelAccount({ ...terms, signal, price: found.price });
  const sent = { ...request, account };
  let received = '';
  try {
    const answer = onText
      ? await collectAnswer(found.provider.stream(sent, signal), (text) => {
          received += text;
          onText(text);
        })
      : await found.provider.complete(sent, signal);
    if (account.requests === 0) account.begin(targetOf(found)).answered(answer);
    return { answer: requireFinished(answer), request, spend: account.spend() };
  } catch (error) {
    if (!isOkaError(error)) throw error;
    if (account.requests === 0 && !isOkaError(error, UNSENT))
      account.begin(targetOf(found)).failed(error, received.length);
    const { code, message, data, transient } = error;
    const text = received === '' ? data['received'] : received;
    throw new OkaError(code, message, {
      data: {
        ...data,
        spend: { ...account.spend() },
        recovered: account.failures().map((failure) => ({ ...failure })),
        ...(text === undefined ? {} : { received: text }),
      },
      transient,
      cause: error,
    });
  }
}

/** A provider that counts nothing itself has sent one request. */
function targetOf({ provider, model, price, isAssumed }: FoundModel) {
  return { provider: provider.name, model, ...(price && { price }), ...(isAssumed && { isAssumed }) };
}
