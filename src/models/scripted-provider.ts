import { type Clock, canonicalJson, type Json, sameJson, waitUntil } from '../kernel/index.ts';
import { digestOfRequest } from './collect-answer.ts';
import { finishedAnswer, type GivenAnswer } from './finished-answer.ts';
import { modelError } from './model-error.ts';
import { parseStructured } from './parse-structured.ts';
import type { ModelProvider } from './ports.ts';
import { compileWhen, parseScript, type ScriptTurn } from './script.ts';
import type { ModelAnswer, ModelDelta, ModelMessage, ModelRequest } from './types.ts';

interface CompiledTurn extends ScriptTurn {
  readonly place: number;
  readonly matches: (message: string) => boolean;
}

const CHARACTERS_PER_TOKEN = 4;
const MAX_RUNS = 1_000;
const SHOWN = 200;
const FREE = { input: 0, output: 0 };

/**
 * A model that answers from a script: deterministic, without network or cost.
 *
 * `once` counts per run. Used turns are tracked in memory and read from the request: the assistant's messages since the last user
 * message show which turns answered. So a run that a new process resumes continues after those turns. A turn without a trace
 * there, such as an error, is available again in a new process.
 */
export class ScriptedProvider implements ModelProvider {
  readonly name = 'scripted';
  readonly #turns: readonly CompiledTurn[];
  readonly #clock: Clock;
  readonly #usedByRun = new Map<string, Set<CompiledTurn>>();

  constructor(script: unknown, clock: Clock) {
    this.#clock = clock;
    this.#turns = parseScript(script).turns.map((turn, place) => ({
      ...turn,
      place,
      matches: turn.when === undefined ? () => true : compileWhen(turn.when),
    }));
  }

  async complete(request: ModelRequest, signal: AbortSignal): Promise<ModelAnswer> {
    for await (const delta of this.stream(request, signal)) if (delta.kind === 'answer') return delta.answer;
    throw scripted('stream_cut');
  }

  async *stream(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelDelta> {
    const turn = await this.#take(request, signal);
    const sent = request.account?.begin({ provider: this.name, model: request.model, price: FREE });
    let received = 0;
    try {
      if (turn.error !== undefined && turn.error !== 'stream_cut') throw scripted(turn.error);
      for (const text of textOfTurn(turn).match(/\s*\S+|\s+$/g) ?? []) {
        signal.throwIfAborted();
        received += text.length;
        yield { kind: 'text', text };
      }
      if (turn.error === 'stream_cut') throw scripted('stream_cut');
      const answer = answerOf(turn, request);
      sent?.answered(answer);
      yield { kind: 'answer', answer };
    } catch (error) {
      sent?.failed(error, received);
      throw error;
    }
  }

  async #take(request: ModelRequest, signal: AbortSignal): Promise<CompiledTurn> {
    signal.throwIfAborted();
    const trigger = request.messages.findLastIndex(({ role }) => role === 'user');
    const message = (request.messages[trigger] ?? request.messages.at(-1))?.content ?? '';
    const { agent, role } = request.purpose ?? {};
    const remembered = this.#usedBy(request.purpose?.run);
    const shown = this.#shownIn(request.messages.slice(trigger + 1));
    const turn = this.#turns.find(
      (candidate) =>
        (candidate.agent === undefined || candidate.agent === agent) &&
        (candidate.role === undefined || candidate.role === role) &&
        !(candidate.once && (remembered.has(candidate) || shown.has(candidate))) &&
        candidate.matches(message),
    );
    if (!turn) throw noTurn(message, request);
    if (turn.once) remembered.add(turn);
    if (turn.delay_ms) await waitUntil(this.#clock, this.#clock.now() + turn.delay_ms, [signal]);
    signal.throwIfAborted();
    return turn;
  }

  /** The turns that a run has used; evicts the least recently used runs. */
  #usedBy(run = ''): Set<CompiledTurn> {
    const used = this.#usedByRun.get(run) ?? new Set();
    this.#usedByRun.delete(run);
    this.#usedByRun.set(run, used);
    const [oldest] = this.#usedByRun.keys();
    if (this.#usedByRun.size > MAX_RUNS && oldest !== undefined) this.#usedByRun.delete(oldest);
    return used;
  }

  /** The turns behind the assistant's messages; equal turns are used in script order. */
  #shownIn(messages: readonly ModelMessage[]): ReadonlySet<CompiledTurn> {
    const shown = new Set<CompiledTurn>();
    for (const message of messages) {
      const turn = this.#turns.find((candidate) => !shown.has(candidate) && gave(candidate, message));
      if (turn) shown.add(turn);
    }
    return shown;
  }
}

function gave(turn: ScriptTurn, { role, content, toolCalls = [] }: ModelMessage): boolean {
  const calls = turn.tool_calls ?? [];
  return (
    turn.once === true &&
    role === 'assistant' &&
    turn.error === undefined &&
    textOfTurn(turn) === content &&
    calls.length === toolCalls.length &&
    calls.every(({ tool, input }, i) => tool === toolCalls[i]?.tool && sameJson(input, toolCalls[i].input))
  );
}

function textOfTurn({ text, json }: ScriptTurn): string {
  return text ?? (json === undefined ? '' : canonicalJson(json));
}

function answerOf(turn: CompiledTurn, request: ModelRequest): ModelAnswer {
  const text = textOfTurn(turn);
  const requestDigest = digestOfRequest(request);
  const toolCalls = (turn.tool_calls ?? []).map(({ tool, input }, i) => ({
    id: `call-${requestDigest.slice(0, 12)}-${turn.place}-${i}`,
    tool,
    input,
  }));
  const answer = finishedAnswer({
    text,
    toolCalls,
    usage: { inputTokens: tokensIn(askedText(request)), outputTokens: tokensIn(text + callsText(toolCalls)) },
    ending: endingOf(turn),
    model: request.model,
    provider: 'scripted',
    requestDigest,
  });
  const json = jsonOf(turn, text, request);
  return json === undefined ? answer : { ...answer, json };
}

function endingOf({ finish, tool_calls }: ScriptTurn): GivenAnswer['ending'] {
  if (finish === undefined) return { as: tool_calls === undefined ? 'stop' : 'tool_calls' };
  if (finish === 'stop' || finish === 'tool_calls' || finish === 'length' || finish === 'refused')
    return { as: finish };
  return { as: 'unknown', reason: finish };
}

function jsonOf(turn: CompiledTurn, text: string, { output }: ModelRequest): Json | undefined {
  if (output && turn.tool_calls === undefined) return parseStructured(text, output.schema);
  return turn.json;
}

function askedText({ system = '', messages, tools = [] }: ModelRequest): string {
  return system + messages.map(({ content }) => content).join('') + callsText(tools);
}

function callsText(calls: readonly unknown[]): string {
  return calls.length === 0 ? '' : canonicalJson(calls);
}

/** Depends only on the text; close to real tokenizers for English. */
function tokensIn(text: string): number {
  return Math.ceil(text.length / CHARACTERS_PER_TOKEN);
}

function scripted(error: NonNullable<ScriptTurn['error']>): Error {
  const busy = error === 'rate_limited' ? { busy: 'the script is rate limited' } : {};
  return modelError(`models.${error}`, `The script answers with the error ${error}.`, busy);
}

function noTurn(message: string, { purpose = {} }: ModelRequest): Error {
  const shown = message.length > SHOWN ? `${message.slice(0, SHOWN)}…`.toWellFormed() : message;
  const asked = [purpose.agent && `agent ${purpose.agent}`, purpose.role && `role ${purpose.role}`].filter(
    Boolean,
  );
  return modelError(
    'models.not_configured',
    `No turn of the script matches the message "${shown}"${asked.length > 0 ? ` (${asked.join(', ')})` : ''}. Add a turn for it, or one without "when".`,
    { data: { message: message.toWellFormed(), ...purpose } },
  );
}
