import {
  type FilledParameters,
  type Goal,
  goalOf,
  isFiller,
  isPronoun,
  isValue,
  type ParameterRole,
  parametersOf,
  secondsOf,
  type Token,
  type ToolChooser,
} from '../../language/index.ts';
import { earlierSteps, namedTemplate, type Output, textTemplate } from './outputs.ts';
import { slug } from './slug.ts';
import type { BuildTool } from './types.ts';

/** A node for a step, without its place in the graph. */
export interface PlacedAction {
  readonly wish: string;
  readonly fields: Readonly<Record<string, unknown>>;
  readonly why: string;
  readonly tool?: BuildTool;
  /** The output for later steps; undefined when there is none. */
  readonly gives?: Omit<Output, 'nodeId'>;
}

/** Why a step has no node, and how to fix it. */
export interface Misplaced {
  readonly problem: string;
  readonly help: string;
}

const TIMEOUT_SECONDS = 120;
const RETRIES = 2;
const ANSWER = {
  type: 'object',
  properties: { answer: { type: 'string' }, by: { type: 'string' } },
} as const;
const MAX_NEAREST = 3;
const MIN_WORD_LENGTH = 3;
const MAIN_ROLES: readonly ParameterRole[] = ['target', 'path', 'url', 'query', 'arguments', 'name'];

/** Finds the node that a step asks for: a wait, a question, a state node, or else a tool. */
export function placeAction(
  said: readonly Token[],
  tools: ToolChooser<BuildTool>,
  outputs: readonly Output[],
): PlacedAction | Misplaced {
  const goal = goalOf(said);
  const { verb } = goal;
  const rest = said.slice(said.findIndex(({ text }) => text.toLowerCase() === verb) + 1);
  if (verb === undefined)
    return { problem: 'it does not begin with a verb', help: 'say what to do, such as "read notes.md"' };
  if (verb === 'for' && /^(?:each|every|all)$/.test(wordsOf(rest)[0] ?? ''))
    return {
      problem: 'a step for each item needs a graph of its own',
      help: 'build the graph for one item first, then name it in a map node',
    };
  const own = placeWait(verb, rest) ?? placeQuestion(verb, rest) ?? placeState(verb, rest, outputs);
  return own ?? placeTool(verb, goal, tools, outputs);
}

function placeWait(verb: string, rest: readonly Token[]): PlacedAction | undefined {
  if (!/^(?:wait|pause|sleep)$/.test(verb)) return undefined;
  const number = rest.findIndex(({ kind }) => kind === 'number');
  const seconds = number < 0 ? undefined : secondsOf(rest[number]?.text ?? '', rest[number + 1]?.text);
  const date = rest.find(({ kind }) => kind === 'date')?.text;
  const event = /^for(?: the)? event$/.test(wordsOf(rest.slice(0, -1)).join(' '))
    ? rest.at(-1)?.text
    : undefined;
  const until = date !== undefined && date.length === 10 ? `${date}T00:00:00Z` : date;
  if (seconds !== undefined && rest.length <= number + 2)
    return { wish: 'wait', fields: { type: 'wait', seconds }, why: `a wait of ${seconds} seconds` };
  if (until !== undefined)
    return { wish: 'wait', fields: { type: 'wait', until }, why: `a wait until ${until}` };
  if (event === undefined) return undefined;
  return {
    wish: slug(`wait ${event}`),
    fields: { type: 'wait', event },
    why: `a wait for the event ${event}`,
  };
}

function placeQuestion(verb: string, rest: readonly Token[]): PlacedAction | undefined {
  const [whom] = wordsOf(rest);
  const question = rest.find(({ kind }) => kind === 'quoted')?.text;
  if (verb !== 'ask' || !/^(?:me|us)$/.test(whom ?? '') || question === undefined || question === '')
    return undefined;
  return {
    wish: slug(`ask ${question}`, 30),
    fields: { type: 'approval', question },
    why: 'a question to a person',
    gives: { schema: ANSWER },
  };
}

/** "remember it as KEY" and "recall KEY". */
function placeState(
  verb: string,
  rest: readonly Token[],
  outputs: readonly Output[],
): PlacedAction | Misplaced | undefined {
  const key = rest.at(-1);
  if (verb === 'recall' && rest.length === 1 && key) {
    const fields = { type: 'read_state', key: key.text, default: null };
    const why = `state that earlier runs stored as ${key.text}`;
    return { wish: slug(`recall ${key.text}`), fields, why, gives: { field: 'value' } };
  }
  if (verb !== 'remember' || !key || wordsOf(rest.slice(-2, -1))[0] !== 'as') return undefined;
  const value = remembered(rest.slice(0, -2), outputs);
  if (value === undefined)
    return {
      problem: 'it is not clear what to remember',
      help: 'say "it" after the step that returns it, or put it in quotes',
    };
  const fields = { type: 'write_state', key: key.text, value };
  return { wish: slug(`remember ${key.text}`), fields, why: `state that later runs can read as ${key.text}` };
}

/** One value, or one word for the output of an earlier step. */
function remembered(said: readonly Token[], outputs: readonly Output[]): string | undefined {
  const [what, more] = said.filter((token) => isPronoun(token.text) || !isFiller(token));
  const last = outputs.at(-1);
  if (!what || more) return undefined;
  if (isValue(what)) return what.text;
  if (isPronoun(what.text)) return last && textTemplate(last).trim();
  return namedTemplate(what.text, outputs, false);
}

function placeTool(
  verb: string,
  goal: Goal,
  tools: ToolChooser<BuildTool>,
  outputs: readonly Output[],
): PlacedAction | Misplaced {
  const chosen = tools.choose(goal, earlierSteps(outputs));
  if (!chosen) {
    const words = wordsOf(goal.parts).filter((word) => word.length >= MIN_WORD_LENGTH);
    const near = tools.nearest(words, MAX_NEAREST).map(({ name }) => name);
    const help = near.length > 0 ? `similar tools: ${near.join(', ')}` : 'add a tool that does it';
    return { problem: `no tool does "${verb}"`, help: `${help}; or build with a model` };
  }
  const { tool } = chosen;
  if (chosen.missing.length > 0 || chosen.unplaced.length > 0) return misfit(tool, chosen);
  const schema = tool.output?.json();
  return {
    wish: slug(`${tool.name.slice(tool.name.lastIndexOf('.') + 1)} ${mainValue(tool, chosen)}`),
    fields: toolFields(tool, chosen),
    why: [`${tool.name} does "${verb}"`, ...chosen.taken].join('; '),
    tool,
    gives: schema ? { schema } : {},
  };
}

function misfit(tool: BuildTool, { missing, unplaced }: FilledParameters): Misplaced {
  if (missing.length > 0) {
    const names = missing.map(({ name, description }) => (description ? `${name} (${description})` : name));
    return {
      problem: `${tool.name} needs ${names.join(' and ')}`,
      help: 'say it in the step, texts in quotes',
    };
  }
  return {
    problem: `${tool.name} has no place for "${unplaced.join(' ')}"`,
    help: 'leave it out, or make it a step of its own',
  };
}

/** Only repeatable tools are retried; the others get an idempotency key. */
function toolFields(tool: BuildTool, { input }: FilledParameters): Record<string, unknown> {
  const { readOnly, idempotent } = tool.annotations;
  const repeatable = readOnly || idempotent;
  return {
    type: 'tool',
    tool: tool.name,
    args: input,
    timeout_seconds: TIMEOUT_SECONDS,
    max_retries: repeatable ? RETRIES : 0,
  };
}

/** The value that describes the call best. */
function mainValue(tool: BuildTool, { input }: FilledParameters): string {
  const roles = new Map(parametersOf(tool).map(({ name, role }) => [role, name]));
  const values = MAIN_ROLES.map((role) => input[roles.get(role) ?? '']).filter(
    (value) => value !== undefined,
  );
  const texts = values.map((value) => (Array.isArray(value) ? value.join(' ') : String(value)));
  const said = texts.find((text) => !text.includes('{{')) ?? '';
  return said.slice(said.lastIndexOf('/') + 1);
}

function wordsOf(tokens: readonly Pick<Token, 'kind' | 'text'>[]): string[] {
  return tokens.filter(({ kind }) => kind === 'word').map(({ text }) => text.toLowerCase());
}
