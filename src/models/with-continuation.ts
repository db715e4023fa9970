import { isOkaError, OkaError } from '../kernel/index.ts';
import { digestOfRequest } from './collect-answer.ts';
import type { ModelProvider } from './ports.ts';
import type { ModelAnswer, ModelDelta, ModelRecovery, ModelRequest, ModelUsage } from './types.ts';

/** A model that needs more than this for one answer would hardly end. */
const MAX_CONTINUATIONS = 3;
const CONTINUE =
  'Your answer was cut at the output limit. Continue it exactly where it stopped. Repeat nothing, and add no remark.';

/**
 * Lets a model continue an answer that reached the output limit, and joins the parts. An answer in JSON is not continued,
 * because a provider that enforces a schema starts a new value.
 */
export function withContinuation(provider: ModelProvider): ModelProvider {
  const { embed } = provider;
  async function* stream(
    request: ModelRequest,
    ask: (part: ModelRequest) => AsyncIterable<ModelDelta>,
  ): AsyncGenerator<ModelDelta> {
    const parts: string[] = [];
    const usages: ModelUsage[] = [];
    const recovered: ModelRecovery[] = [];
    for (;;) {
      try {
        for await (const delta of ask(continuing(request, parts)))
          yield delta.kind === 'text' || parts.length === 0
            ? delta
            : { kind: 'answer', answer: joined(delta.answer, request, { parts, usages, recovered }) };
        return;
      } catch (error) {
        const cut = isOkaError(error, 'models.answer_cut') && error.data['continuable'] === true;
        if (cut) {
          parts.push(String(error.data['received']));
          usages.push(error.data['usage'] as ModelUsage);
        }
        const tokens = Math.ceil((parts.at(-1)?.length ?? 0) / 4);
        const mayContinue =
          cut && request.output === undefined && parts.length <= MAX_CONTINUATIONS
            ? await (request.account?.admits('continuation', tokens) ?? true)
            : false;
        if (!mayContinue || !isOkaError(error)) throw withReceived(error, parts, cut);
        const { code, message } = error;
        recovered.push({ kind: 'continued', subject: provider.name, attempt: parts.length, code, message });
      }
    }
  }
  return {
    name: provider.name,
    complete: async (request, signal) => {
      const whole = (part: ModelRequest) => asDelta(provider.complete(part, signal));
      for await (const delta of stream(request, whole)) if (delta.kind === 'answer') return delta.answer;
      throw new OkaError('kernel.bug', 'A provider completed without an answer.');
    },
    stream: (request, signal) => stream(request, (part) => provider.stream(part, signal)),
    ...(embed && { embed: (texts, signal) => embed.call(provider, texts, signal) }),
  };
}

async function* asDelta(answer: Promise<ModelAnswer>): AsyncGenerator<ModelDelta> {
  yield { kind: 'answer', answer: await answer };
}

function continuing(request: ModelRequest, parts: readonly string[]): ModelRequest {
  if (parts.length === 0) return request;
  const more = [
    { role: 'assistant', content: parts.join('') },
    { role: 'user', content: CONTINUE },
  ] as const;
  return { ...request, messages: [...request.messages, ...more] };
}

function joined(
  answer: ModelAnswer,
  request: ModelRequest,
  before: {
    readonly parts: readonly string[];
    readonly usages: readonly ModelUsage[];
    readonly recovered: readonly ModelRecovery[];
  },
): ModelAnswer {
  return {
    ...answer,
    text: before.parts.join('') + answer.text,
    usage: sumOfUsage([...before.usages, answer.usage]),
    recovered: [...before.recovered, ...(answer.recovered ?? [])],
    requestDigest: digestOfRequest(request),
  };
}

function sumOfUsage(usages: readonly ModelUsage[]): ModelUsage {
  const sum: { -readonly [name in keyof ModelUsage]: ModelUsage[name] } = {};
  for (const usage of usages)
    for (const name of Object.keys(usage) as (keyof ModelUsage)[])
      sum[name] = (sum[name] ?? 0) + (usage[name] ?? 0);
  return sum;
}

/** The failure of the last part, with the text of all parts. */
function withReceived(error: unknown, parts: readonly string[], isAmongParts: boolean): unknown {
  if (parts.length === 0 || !isOkaError(error)) return error;
  const { code, message, data, transient } = error;
  const received = parts.join('') + (isAmongParts ? '' : String(data['received'] ?? ''));
  return new OkaError(code, message, { data: { ...data, received }, transient, cause: error });
}
