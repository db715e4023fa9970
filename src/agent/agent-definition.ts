import * as z from 'zod';
import { BUDGET_NAMES, type BudgetLimits } from '../engine/index.ts';
import { didYouMean, matchText, nearestName } from '../kernel/index.ts';
import { PROVIDER_IDS } from '../models/index.ts';

export type AgentFileErrorCode = 'agent.unknown' | 'agent.invalid' | 'agent.exists';

export type AgentProblemCode =
  | 'agent.unreadable'
  | 'agent.no_front_matter'
  | 'agent.unknown_field'
  | 'agent.field_invalid'
  | 'agent.name_invalid'
  | 'agent.name_differs'
  | 'agent.unknown_provider'
  | 'agent.model_missing'
  | 'agent.model_unusable'
  | 'agent.script_missing'
  | 'agent.script_unreadable'
  | 'agent.unknown_budget'
  | 'agent.unknown_tool';

/** A problem of an agent file, and how to fix it. */
export interface AgentProblem {
  readonly code: AgentProblemCode;
  /** The field of the front matter that it is about, where it is about one. */
  readonly field?: string;
  readonly message: string;
  readonly next: string;
}

/** A model of the configuration, by its name, or one that the agent's file describes. */
export type AgentModel = { readonly configured: string } | OwnModel;

interface OwnModel {
  readonly provider: string;
  readonly model?: string;
  /** Relative to the workspace. */
  readonly script?: string;
  /** Other models, tried in order when this one fails transiently. */
  readonly fallback?: readonly string[];
}

/** An agent as written. Its identity does not depend on its model. */
export interface AgentDefinition {
  readonly name: string;
  readonly description?: string;
  /** Without one, the workspace's default model, or none. */
  readonly model?: AgentModel;
  readonly temperature?: number;
  readonly topP?: number;
  readonly contextRole?: 'reader' | 'writer' | 'synthesis';
  /** Patterns such as `files.*`; without them, every tool that policy allows. They allow nothing by themselves. */
  readonly tools?: readonly string[];
  readonly budgets?: BudgetLimits;
  readonly persona: string;
}

export const AGENT_PROVIDERS: readonly string[] = [...PROVIDER_IDS, 'scripted'];

/** The agent that exists without a file. A file with its name replaces it. */
export const DEFAULT_AGENT: AgentDefinition = {
  name: 'anton',
  description: 'the agent that works when no other is named',
  persona:
    'You are Anton. You do what you were asked with the tools that you are given, say what you did and what you found, and say so when you do not know.',
};

const NAME = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;
/** Names with another meaning in a conversation. */
const TAKEN_NAMES: readonly string[] = ['user', 'all'];
const TOOL_PATTERN = /^[A-Za-z0-9_.:/*-]{1,200}$/;

const text = z.string().trim().min(1);
const toolList = z
  .union([z.string().transform((line) => line.split(/[\s,]+/).filter((word) => word !== '')), z.array(text)])
  .pipe(z.array(z.string().regex(TOOL_PATTERN, 'a tool is named as in files.read or files.*')));

const AGENT = z.object({
  name: text,
  description: text.max(1_024).optional(),
  provider: text.optional(),
  model: text.optional(),
  script: text.optional(),
  fallback: z.array(text).optional(),
  temperature: z.number().min(0).max(2).optional(),
  top_p: z.number().min(0).max(1).optional(),
  contextRole: z.enum(['reader', 'writer', 'synthesis']).optional(),
  tools: toolList.optional(),
  budgets: z.record(z.string(), z.number().nonnegative()).optional(),
});
type Fields = z.output<typeof AGENT>;
const FIELDS = Object.keys(AGENT.shape);

/** Reads an agent and reports all its problems at once. Returns an agent only without problems. */
export function parseAgent(
  frontMatter: Readonly<Record<string, unknown>>,
  body: string,
): { readonly agent?: AgentDefinition; readonly problems: readonly AgentProblem[] } {
  const parsed = AGENT.safeParse(frontMatter);
  const problems = [...unknownFields(frontMatter), ...(parsed.error?.issues ?? []).map(toProblem)];
  if (!parsed.success) return { problems };
  const fields = parsed.data;
  problems.push(
    ...agentNameProblems(fields.name),
    ...modelProblems(fields),
    ...budgetProblems(fields.budgets),
  );
  return problems.length > 0 ? { problems } : { agent: toAgent(fields, body), problems };
}

/** The problems of a text as an agent's name, which people mention the agent by. */
export function agentNameProblems(name: string): readonly AgentProblem[] {
  if (!NAME.test(name)) {
    const message = `"${name.slice(0, 80)}" cannot be the name of an agent`;
    const next = 'Use letters, digits, _ and -, at most 64, and begin with a letter or digit.';
    return [{ code: 'agent.name_invalid', field: 'name', message, next }];
  }
  if (!TAKEN_NAMES.includes(name.toLowerCase())) return [];
  const message = `"${name}" is reserved in conversations`;
  return [{ code: 'agent.name_invalid', field: 'name', message, next: 'Choose another name.' }];
}

/** The patterns of an agent that match none of these tools. */
export function agentToolProblems(
  patterns: readonly string[],
  tools: readonly string[],
): readonly AgentProblem[] {
  return patterns
    .filter((pattern) => !tools.some((tool) => matchText(pattern, tool)))
    .map((pattern) => ({
      code: 'agent.unknown_tool',
      field: 'tools',
      message: `no tool matches "${pattern}"`,
      next: didYouMean(nearestName(pattern, tools), 'See: oka tools list.'),
    }));
}

/** Whether an agent may ask for a tool at all; policy decides about the call. */
export function offersTool(agent: Pick<AgentDefinition, 'tools'>, tool: string): boolean {
  return agent.tools?.some((pattern) => matchText(pattern, tool)) ?? true;
}

function unknownFields(frontMatter: Readonly<Record<string, unknown>>): AgentProblem[] {
  return Object.keys(frontMatter)
    .filter((field) => !FIELDS.includes(field))
    .map((field) => ({
      code: 'agent.unknown_field',
      field,
      message: `agents have no field "${field}"`,
      next: didYouMean(nearestName(field, FIELDS), `Known are ${FIELDS.join(', ')}.`),
    }));
}

function toProblem(issue: z.core.$ZodIssue): AgentProblem {
  const field = issue.path.join('.');
  const missing = field === 'name' && issue.code === 'invalid_type' && issue.input === undefined;
  const message = missing ? 'the front matter has no name' : `${field}: ${issue.message}`;
  const next = missing
    ? 'Add a line: name: …'
    : 'Correct the field; docs/formats/agent.md says what it takes.';
  return { code: 'agent.field_invalid', field, message, next };
}

function modelProblems({ provider, model, script, fallback }: Fields): AgentProblem[] {
  if (provider === undefined) {
    // A model without a provider is one of the configuration, which has fallbacks of its own.
    const given = Object.entries({ script, fallback }).filter(([, value]) => value !== undefined);
    return given.map(([field]) => ({
      code: 'agent.unknown_provider',
      field: 'provider',
      message: `${field} is given without a provider`,
      next:
        model === undefined
          ? `Add a provider: ${AGENT_PROVIDERS.join(', ')}.`
          : `Add a provider, or leave out ${field}: "${model}" is then a model of the configuration.`,
    }));
  }
  if (!AGENT_PROVIDERS.includes(provider)) {
    const message = `there is no provider "${provider}"`;
    const known = `Known are ${AGENT_PROVIDERS.join(', ')}.`;
    const next = didYouMean(nearestName(provider, AGENT_PROVIDERS), known);
    return [{ code: 'agent.unknown_provider', field: 'provider', message, next }];
  }
  if (provider === 'scripted') {
    const message = 'a scripted agent needs a script';
    const next = 'Add the script, relative to the workspace.';
    return script === undefined ? [{ code: 'agent.script_missing', field: 'script', message, next }] : [];
  }
  const problems: AgentProblem[] = [];
  if (model === undefined) {
    const message = `the provider ${provider} has many models, and none is named`;
    problems.push({ code: 'agent.model_missing', field: 'model', message, next: 'Add the model to ask.' });
  }
  if (script !== undefined) {
    const message = `a script is for the provider scripted, not for ${provider}`;
    const next = 'Leave out the script, or the provider.';
    problems.push({ code: 'agent.field_invalid', field: 'script', message, next });
  }
  return problems;
}

function budgetProblems(budgets: Fields['budgets']): AgentProblem[] {
  return Object.keys(budgets ?? {})
    .filter((name) => !(BUDGET_NAMES as readonly string[]).includes(name))
    .map((name) => ({
      code: 'agent.unknown_budget',
      field: 'budgets',
      message: `there is no budget "${name}"`,
      next: didYouMean(nearestName(name, BUDGET_NAMES), `Known are ${BUDGET_NAMES.join(', ')}.`),
    }));
}

function toAgent(fields: Fields, body: string): AgentDefinition {
  const { name, description, temperature, top_p: topP, contextRole, tools, budgets } = fields;
  return {
    name,
    ...present({
      description,
      model: modelOf(fields),
      temperature,
      topP,
      contextRole,
      tools,
      budgets: budgets as BudgetLimits | undefined,
    }),
    persona: body.trim(),
  };
}

function modelOf({ provider, model, script, fallback }: Fields): AgentModel | undefined {
  if (provider !== undefined) return { provider, ...present({ model, script, fallback }) };
  return model === undefined ? undefined : { configured: model };
}

type Present<T> = { [Key in keyof T]?: Exclude<T[Key], undefined> };

function present<T extends object>(fields: T): Present<T> {
  return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined)) as Present<T>;
}
