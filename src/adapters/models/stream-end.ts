import { modelError } from '../../models/index.ts';
import { classifyFailure, readFailure } from './classify-failure.ts';
import { memberOf, readJson } from './read-json.ts';

/** Checks each line of a streamed answer; true at its end. Throws an error that the line reports. */
export type StreamEnd = (line: string) => boolean;

/** OpenAI's streams end with an event `[DONE]`, or with an error. */
export const doneEventEnd = (): StreamEnd =>
  eventEnd(
    (data) => data === '[DONE]' || (data.includes('"error"') && memberOf(readJson(data), 'error') != null),
  );

/** Anthropic's streams end with an event of the type `message_stop`, or `error`. */
export const messageStopEnd = (): StreamEnd =>
  eventEnd((data) => {
    const type = /"(message_stop|error)"/.test(data) ? memberOf(readJson(data), 'type') : undefined;
    return type === 'message_stop' || type === 'error';
  });

/** Ollama streams lines of JSON; the last one has `done`. Each line is checked, because the package skips unreadable ones. */
export const doneLineEnd = (): StreamEnd => (line) => {
  if (line.trim() === '') return false;
  const value = readJson(line);
  if (memberOf(value, 'error') !== undefined) {
    const failure = readFailure(value);
    const { code, transient } = classifyFailure(failure);
    throw modelError(code, `ollama failed while answering: ${failure.message}. Try again.`, {
      transient,
    });
  }
  if (!isChatLine(value))
    throw modelError('models.malformed', 'ollama streamed an invalid line. Try again.', {
      data: { text: line.slice(0, 2_000).toWellFormed() },
    });
  return value['done'] === true;
};

/** An event is complete after its empty line. */
function eventEnd(isLast: (data: string) => boolean): StreamEnd {
  let last = false;
  return (line) => {
    if (line.startsWith('data:')) last ||= isLast(line.slice('data:'.length).trim());
    return last && line === '';
  };
}

function isChatLine(value: unknown): value is Record<string, unknown> {
  const message = memberOf(value, 'message');
  const calls = memberOf(message, 'tool_calls') ?? [];
  return (
    typeof memberOf(value, 'model') === 'string' &&
    typeof memberOf(value, 'created_at') === 'string' &&
    typeof memberOf(value, 'done') === 'boolean' &&
    typeof memberOf(message, 'role') === 'string' &&
    typeof memberOf(message, 'content') === 'string' &&
    Array.isArray(calls) &&
    calls.every((call) => isCall(memberOf(call, 'function')))
  );
}

function isCall(value: unknown): boolean {
  const input = memberOf(value, 'arguments');
  return (
    typeof memberOf(value, 'name') === 'string' &&
    typeof input === 'object' &&
    input !== null &&
    !Array.isArray(input)
  );
}
