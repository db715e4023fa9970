// Owns: the request to a model, within a token limit, and its recorded manifest.
// I1 Nothing is summarised: shortened text says so, and the ledger has the whole.
// I2 Every call of a model's turn is followed by its answer, or by a note that it was not made.
import type { Evidence, PlanInput } from '../../engine/index.ts';
import { canonicalJson, type Json, type JsonObject } from '../../kernel/index.ts';
import { estimateTokens, type OpenedPack, PACK, packIn } from '../../memory/index.ts';
import type { ModelMessage, ModelRequest } from '../../models/index.ts';
import { BRIEF } from '../brief.ts';
import { briefIn, offeredTools, systemPrompt } from './agent-prompt.ts';
import { answersTask, TASK_RULES } from './task-result.ts';
import { answersIn, readTurns, type Turn } from './turns.ts';

/** For a model with an unknown context size: small enough for most, large enough to work. */
const DEFAULT_CONTEXT_TOKENS = 64_000;
/** The share of the context for the request; the rest is for the answer. */
const FILLED = 0.75;
const MAX_RESULT_LENGTH = 24_000;
const SHORT_RESULT_LENGTH = 600;

interface Entry {
  readonly step: number;
  readonly what: 'goal' | 'pack' | 'recall' | 'turn' | 'result' | 'note' | 'repair';
  readonly message: ModelMessage;
  /** A shorter version for a full context. */
  readonly short?: ModelMessage;
}

export interface ComposedRequest {
  readonly request: Omit<ModelRequest, 'model'>;
  readonly tokens: number;
  /** The contents of the request, their sizes, and what was shortened. */
  readonly manifest: JsonObject;
}

/**
 * The next request to a model. The same run at the same step, with the same pack, gives the same request. Without the
 * texts of its pack it only serves to estimate its size.
 */
export function composeRequest(
  input: PlanInput,
  contextTokens = DEFAULT_CONTEXT_TOKENS,
  pack?: OpenedPack,
): ComposedRequest {
  const brief = briefIn(input.evidence);
  const system = systemPrompt(brief, pack?.rules, answersTask(input.vars) ? TASK_RULES : '');
  const tools = offeredTools(input.allTools, brief);
  const unopened = pack === undefined ? (packIn(input.evidence)?.tokens ?? 0) : 0;
  const fixed = estimateTokens(system) + estimateTokens(JSON.stringify(tools)) + unopened;
  const cap = Math.floor(contextTokens * FILLED);
  const { messages, shortened, tokens, listed } = fitInto(entriesOf(input, pack), cap - fixed);
  const agent = brief.agent;
  return {
    request: {
      system,
      messages,
      tools,
      purpose: { agent, role: 'executor', run: input.run.id },
      ...(brief.temperature === undefined ? {} : { temperature: brief.temperature }),
      ...(brief.topP === undefined ? {} : { topP: brief.topP }),
    },
    tokens: fixed + tokens,
    manifest: {
      agent,
      contextTokens,
      tokens: fixed + tokens,
      cap,
      system: estimateTokens(system),
      tools: tools.map(({ name }) => name),
      skills: brief.skills.map(({ name }) => name),
      instructions: brief.instructions.map(({ path }) => path),
      messages: listed,
      shortened,
      ...(pack === undefined ? {} : { pack: pack.manifest }),
    },
  };
}

function entriesOf(input: PlanInput, pack: OpenedPack | undefined): Entry[] {
  const { before, turns } = readTurns(input.evidence);
  const untrusted = new Set(input.allTools.flatMap((tool) => (tool.untrusted ? [tool.name] : [])));
  const entries: Entry[] = [];
  if (pack !== undefined && pack.known !== '')
    entries.push({ step: 0, what: 'pack', message: { role: 'user', content: pack.known } });
  for (const fact of before) {
    if (fact.source === 'recall' && fact.tool !== BRIEF && fact.tool !== PACK)
      entries.push(noteOf(fact, 'recall', 'Known before'));
  }
  // The goal comes last, after the known facts.
  entries.push({ step: 0, what: 'goal', message: { role: 'user', content: input.goal } });
  for (const fact of before) if (fact.source === 'signal') entries.push(noteOf(fact, 'note', 'Meanwhile'));
  for (const turn of turns) entries.push(...entriesOfTurn(turn, untrusted));
  if (input.repair !== undefined) {
    const content = `Your last answer could not be used: ${input.repair.problem}. Answer again.`;
    entries.push({ step: input.run.step, what: 'repair', message: { role: 'user', content } });
  }
  return entries;
}

function entriesOfTurn(turn: Turn, untrusted: ReadonlySet<string>): Entry[] {
  const { answer, step, facts } = turn;
  const toolCalls = answer.calls.map(({ id, tool, input }) => ({ id, tool, input }));
  const spoken: ModelMessage = {
    role: 'assistant',
    content: answer.text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  const answers = answersIn(turn);
  return [
    { step, what: 'turn', message: spoken },
    ...answer.calls.map((call, i): Entry => {
      const fact = answers[i];
      const whole = fact === undefined ? NOT_MADE : factText(fact, MAX_RESULT_LENGTH, untrusted);
      const brief = fact === undefined ? NOT_MADE : factText(fact, SHORT_RESULT_LENGTH, untrusted);
      const message = (content: string): ModelMessage => ({ role: 'tool', toolCallId: call.id, content });
      return {
        step: fact?.step ?? step,
        what: 'result',
        message: message(whole),
        ...(brief === whole ? {} : { short: message(brief) }),
      };
    }),
    ...facts.filter(({ source }) => source === 'signal').map((fact) => noteOf(fact, 'note', 'Meanwhile')),
  ];
}

const NOT_MADE = 'not made, because an earlier call of the same turn failed; decide again.';

function noteOf(fact: Evidence, what: 'recall' | 'note', title: string): Entry {
  const content = `${title}: ${textOfValue(fact.output ?? null)}`.slice(0, MAX_RESULT_LENGTH);
  return { step: fact.step, what, message: { role: 'user', content } };
}

function factText(fact: Evidence, maxLength: number, untrusted: ReadonlySet<string>): string {
  if (fact.failure) return `failed (${fact.failure.code}): ${cut(fact.failure.message, maxLength)}`;
  if (fact.source === 'person') {
    const { answer } = (fact.output ?? {}) as { answer?: string };
    return `the person answered: ${cut(answer ?? '', maxLength)}`;
  }
  const text = cut(textOfValue(fact.output ?? null), maxLength);
  if (!fact.untrusted && !untrusted.has(fact.tool ?? '')) return text;
  // Untrusted text cannot close its own mark.
  return `<untrusted from="${fact.tool}">\n${text.replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n</untrusted>`;
}

function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function cut(text: string, maxLength: number): string {
  if (text.length <= maxLength) return text;
  const head = text.slice(0, Math.ceil(maxLength * 0.7)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(maxLength * 0.3)).toWellFormed();
  return `${head}\n[… ${text.length - maxLength} characters left out; ask for the part you need …]\n${tail}`;
}

/** Shortens results from the oldest on until all fits. Drops nothing, because a call needs its answer. */
function fitInto(entries: readonly Entry[], room: number) {
  const sizes = entries.map(({ message }) => tokensOf(message));
  let tokens = sizes.reduce((sum, size) => sum + size, 0);
  const shortened: number[] = [];
  const messages = entries.map((entry, i) => {
    if (tokens <= room || entry.short === undefined) return entry.message;
    const size = tokensOf(entry.short);
    tokens -= (sizes[i] as number) - size;
    sizes[i] = size;
    shortened.push(entry.step);
    return entry.short;
  });
  const listed = entries.map(({ step, what }, i) => ({ step, what, tokens: sizes[i] as number }));
  return { messages, shortened, tokens, listed };
}

function tokensOf(message: ModelMessage): number {
  const calls = message.toolCalls ? estimateTokens(JSON.stringify(message.toolCalls)) : 0;
  return estimateTokens(message.content) + calls;
}
