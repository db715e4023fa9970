// Owns: what a model gets to see of a run, within a cap, and the list of it that is put on record.
// I1 Nothing is summarised away: what is shortened says so, and the ledger keeps the whole.
// I2 Every call of a model's turn is followed by an answer to it, or by the words that it was not made.
import type { Evidence, PlanInput } from '../../engine/index.ts';
import { canonicalJson, type Json, type JsonObject } from '../../kernel/index.ts';
import { estimateTokens, type OpenedPack, PACK, packIn } from '../../memory/index.ts';
import type { ModelMessage, ModelRequest } from '../../models/index.ts';
import { BRIEF } from '../brief.ts';
import { briefIn, offeredTools, systemPrompt } from './agent-prompt.ts';
import { answersIn, readTurns, type Turn } from './said.ts';

/** What a model can look at when nobody says: small enough for most, large enough to work. */
const USUAL_CONTEXT_TOKENS = 64_000;
/** The part of its context that is filled; the rest is for its answer. */
const FILLED = 0.75;
const LONGEST_RESULT = 24_000;
const SHORT_RESULT = 600;

interface Entry {
  readonly step: number;
  readonly what: 'goal' | 'pack' | 'recall' | 'turn' | 'result' | 'note' | 'repair';
  readonly message: ModelMessage;
  /** The same, shorter, for when room is short. */
  readonly short?: ModelMessage;
}

export interface ComposedRequest {
  readonly request: Omit<ModelRequest, 'model'>;
  readonly tokens: number;
  /** What went in, what was shortened, and how large it was. */
  readonly manifest: JsonObject;
}

/**
 * The question that a model is asked next. The same run at the same step, with the same pack, gives the same. Without the
 * texts of its pack it is only good for saying how large it will be.
 */
export function composeRequest(
  input: PlanInput,
  contextTokens = USUAL_CONTEXT_TOKENS,
  pack?: OpenedPack,
): ComposedRequest {
  const brief = briefIn(input.evidence);
  const system = systemPrompt(brief, pack?.rules);
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

/** Everything that happened, oldest first. */
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
  // What was asked stands last, after all that is known beside it.
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
  const { said, step, facts } = turn;
  const toolCalls = said.calls.map(({ id, tool, input }) => ({ id, tool, input }));
  const spoken: ModelMessage = {
    role: 'assistant',
    content: said.text,
    ...(toolCalls.length === 0 ? {} : { toolCalls }),
  };
  const answers = answersIn(turn);
  return [
    { step, what: 'turn', message: spoken },
    ...said.calls.map((call, i): Entry => {
      const fact = answers[i];
      const whole = fact === undefined ? NOT_MADE : tellFact(fact, LONGEST_RESULT, untrusted);
      const brief = fact === undefined ? NOT_MADE : tellFact(fact, SHORT_RESULT, untrusted);
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

const NOT_MADE = 'not made, because an earlier call of the same turn failed; decide anew.';

function noteOf(fact: Evidence, what: 'recall' | 'note', title: string): Entry {
  const content = `${title}: ${textOfValue(fact.output ?? null)}`.slice(0, LONGEST_RESULT);
  return { step: fact.step, what, message: { role: 'user', content } };
}

function tellFact(fact: Evidence, most: number, untrusted: ReadonlySet<string>): string {
  if (fact.failure) return `failed (${fact.failure.code}): ${cut(fact.failure.message, most)}`;
  if (fact.source === 'person') {
    const { answer } = (fact.output ?? {}) as { answer?: string };
    return `the person answered: ${cut(answer ?? '', most)}`;
  }
  const text = cut(textOfValue(fact.output ?? null), most);
  if (!untrusted.has(fact.tool ?? '')) return text;
  // What strangers write cannot end the part that is marked as theirs.
  return `<untrusted from="${fact.tool}">\n${text.replaceAll(/<(\/?)untrusted/gi, '<$1_untrusted')}\n</untrusted>`;
}

function textOfValue(value: Json): string {
  return typeof value === 'string' ? value : canonicalJson(value);
}

function cut(text: string, most: number): string {
  if (text.length <= most) return text;
  const head = text.slice(0, Math.ceil(most * 0.7)).toWellFormed();
  const tail = text.slice(text.length - Math.floor(most * 0.3)).toWellFormed();
  return `${head}\n[… ${text.length - most} characters left out; ask for the part you need …]\n${tail}`;
}

/** Shortens results from the oldest on until all fits; what is short already stays, because a turn without its answers is no turn. */
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
