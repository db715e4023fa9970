// Owns: which answers of a model are finished. Every provider passes its answers through here, and so does every caller.
import { modelError } from './model-error.ts';
import type { ModelAnswer } from './types.ts';

/** How an answer ended, as its provider says. `unknown`: it gave no reason, or one that Oka does not know. */
type Ending =
  | { readonly as: 'stop' | 'tool_calls' | 'length' | 'refused' }
  | { readonly as: 'unknown'; readonly reason?: string | undefined };

/** An answer before its end was checked. */
export type GivenAnswer = Omit<ModelAnswer, 'finish' | 'json'> & { readonly ending: Ending };

/**
 * The answer if it is finished. Otherwise fails with an error that holds what was received: `models.answer_cut`,
 * `models.answer_empty`, `models.refused`, or `models.malformed` for tool calls that are missing or cut.
 */
export function finishedAnswer({ ending, ...given }: GivenAnswer): ModelAnswer {
  const { text, toolCalls, usage, provider, model } = given;
  const who = `${provider} (${model})`;
  const data = { provider, model, usage: { ...usage }, ...(text === '' ? {} : { received: text }) };
  if (ending.as === 'refused')
    throw modelError(
      'models.refused',
      `${who} refused to answer${text.trim() === '' ? '' : ` (${excerpt(text)})`}. Change the request, or use another model.`,
      { data },
    );
  if (ending.as === 'length' && toolCalls.length > 0)
    throw modelError(
      'models.malformed',
      `${who} reached its output limit during a tool call. Allow more output tokens, or request less at once.`,
      { data },
    );
  if (ending.as === 'length')
    throw modelError(
      'models.answer_cut',
      `${who} reached its output limit before its answer was finished. Allow more output tokens, or ask for less at once.`,
      { data: { ...data, continuable: text.trim() !== '' } },
    );
  if (ending.as === 'unknown')
    throw modelError(
      'models.answer_cut',
      `${who} ended its answer ${ending.reason ? `for a reason that Oka does not know ("${excerpt(ending.reason)}")` : 'without a reason'}, so it may be incomplete. Try again, or use another model.`,
      { data },
    );
  if (ending.as === 'tool_calls' && toolCalls.length === 0)
    throw modelError('models.malformed', `${who} announced tool calls and sent none. Try again.`, { data });
  if (toolCalls.length === 0 && text.trim() === '')
    throw modelError('models.answer_empty', `${who} gave an empty answer. Try again, or use another model.`, {
      data,
    });
  return { ...given, finish: toolCalls.length > 0 ? 'tool_calls' : 'stop' };
}

/** Checks an answer again where it is used, because the type of a provider from outside promises nothing. */
export function requireFinished(answer: ModelAnswer): ModelAnswer {
  const { finish, json, ...given } = answer;
  const known = finish === 'stop' || finish === 'tool_calls';
  if (known && json !== undefined) return answer;
  finishedAnswer({ ...given, ending: known ? { as: finish } : { as: 'unknown', reason: String(finish) } });
  return answer;
}

function excerpt(text: string): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > 200 ? `${line.slice(0, 200)}…`.toWellFormed() : line;
}
