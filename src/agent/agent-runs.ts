import {
  agentOf,
  type BudgetLimits,
  type BudgetName,
  type Evidence,
  parseBudgets,
  type Recall,
  type RunRequest,
} from '../engine/index.ts';
import type { JsonObject } from '../kernel/index.ts';
import { type ContextPack, PACK, packToJson } from '../memory/index.ts';
import { type AgentDefinition, DEFAULT_AGENT } from './agent-definition.ts';
import { type AgentBrief, BRIEF, briefToJson } from './brief.ts';
import { chooseModel, NO_MODEL } from './choose-model.ts';

/** Kinds of runs whose planner may call a model. */
const PLANNED = ['agent', 'assistant'];

/** The tool name under which a run's evidence holds the conversation that it answers in. */
const CONVERSATION = 'conversation';

const MAX_NAMED_ITEMS = 5;

/** The messages that an agent sees, and whether others than the user wrote some of them. */
export interface ConversationText {
  readonly text: string;
  readonly untrusted: boolean;
}

export interface AgentRunsParts {
  readonly load: (agent: string) => Promise<AgentDefinition>;
  /** The model of agents that name none. */
  readonly defaultModel: () => Promise<string | undefined>;
  readonly instructions: () => Promise<AgentBrief['instructions']>;
  /** Where the instructions or the file of an agent come from, if a run wrote them that had read untrusted content. */
  readonly untrustedBrief?: (agent: string) => Promise<string | undefined>;
  readonly skills: () => Promise<AgentBrief['skills']>;
  /** Builds the context pack of a run; without it agents start with their instructions only. */
  readonly pack?: (about: RecallRequest) => Promise<ContextPack>;
  /** The conversation that a run answers in, if any. */
  readonly conversation?: (vars: JsonObject) => Promise<ConversationText | undefined>;
}

/** The run to recall for. */
interface RecallRequest {
  readonly goal: string;
  readonly vars: JsonObject;
  readonly run?: { readonly id: string; readonly parent?: string };
}

/** Creates runs of agents, and the evidence that they start with. */
export class AgentRuns implements Recall {
  readonly #parts: AgentRunsParts;

  constructor(parts: AgentRunsParts) {
    this.#parts = parts;
  }

  /** The run of an agent on a goal. `model` replaces the agent's own; `none` plans by rules. */
  async request(asked: {
    readonly goal: string;
    readonly agent?: string;
    readonly model?: string;
    /** Splits the goal into tasks that are executed and checked one by one. */
    readonly autonomy?: string;
    readonly budgets: Readonly<Record<string, number>>;
  }): Promise<RunRequest> {
    const { goal, agent = DEFAULT_AGENT.name, model, autonomy } = asked;
    const definition = await this.#parts.load(agent);
    return {
      kind: autonomy === undefined ? 'agent' : 'assistant',
      goal,
      vars: {
        agent,
        ...(model === undefined ? {} : { model }),
        ...(autonomy === undefined ? {} : { autonomy }),
      },
      budgets: smaller(definition.budgets ?? {}, parseBudgets(asked.budgets)),
    };
  }

  /** The brief that the agent of a recorded one would get now, with the same model. */
  async currentBrief(recorded: AgentBrief, hasPack: boolean): Promise<AgentBrief> {
    return this.#brief(await this.#parts.load(recorded.agent), recorded.model, hasPack);
  }

  async #brief(
    definition: AgentDefinition,
    model: string | undefined,
    hasPack: boolean,
  ): Promise<AgentBrief> {
    const instructions = await this.#parts.instructions();
    return {
      agent: definition.name,
      ...(model === undefined ? {} : { model }),
      persona: definition.persona,
      ...(definition.tools === undefined ? {} : { tools: definition.tools }),
      ...(definition.temperature === undefined ? {} : { temperature: definition.temperature }),
      ...(definition.topP === undefined ? {} : { topP: definition.topP }),
      // The pack contains their text, within its cap.
      instructions: hasPack ? instructions.map(({ path }) => ({ path, text: '' })) : instructions,
      skills: await this.#parts.skills(),
    };
  }

  /** The evidence that a run of an agent starts with: its brief, its context pack and its conversation. */
  recall = async ({
    kind,
    ...about
  }: RecallRequest & { readonly kind: string }): Promise<readonly Evidence[]> => {
    const { vars } = about;
    if (!PLANNED.includes(kind) || vars['model'] === NO_MODEL) return [];
    const agent = agentOf(vars) ?? DEFAULT_AGENT.name;
    const definition = await this.#parts.load(agent);
    const defaultModel = await this.#parts.defaultModel();
    const model = chooseModel({ named: vars['model'], agent: definition, defaultModel });
    if (model === undefined) return [];
    const pack = await this.#parts.pack?.(about);
    const brief = await this.#brief(definition, model, pack !== undefined);
    const conversation = await this.#parts.conversation?.(vars);
    const begin = { step: 0, state: 'intake', source: 'recall' } as const;
    const untrustedFrom = await this.#parts.untrustedBrief?.(agent);
    return [
      {
        ...begin,
        tool: BRIEF,
        output: briefToJson(brief),
        ...(untrustedFrom === undefined ? {} : { untrusted: true as const, untrustedFrom }),
      },
      ...(pack === undefined ? [] : [packEvidence(pack)]),
      ...(conversation === undefined
        ? []
        : [
            {
              ...begin,
              tool: CONVERSATION,
              output: conversation.text,
              ...(conversation.untrusted ? { untrusted: true as const } : {}),
            },
          ]),
    ];
  };
}

/** A pack with untrusted items makes the run untrusted. */
function packEvidence(pack: ContextPack): Evidence {
  const untrusted = pack.items.some(({ ofStrangers }) => ofStrangers);
  const evidence = {
    step: 0,
    state: 'intake',
    source: 'recall',
    tool: PACK,
    output: packToJson(pack),
  } as const;
  return {
    ...evidence,
    ...(untrusted ? { untrusted, untrustedFrom: describeStrangers(pack) } : {}),
  };
}

/** Names the items of a pack that are derived from untrusted content. */
function describeStrangers({ items }: ContextPack): string {
  const names = items.flatMap(({ kind, id, ofStrangers }) => (ofStrangers ? [`${kind} ${id}`] : []));
  const more = names.length > MAX_NAMED_ITEMS ? ` and ${names.length - MAX_NAMED_ITEMS} more` : '';
  return `the context pack: ${names.slice(0, MAX_NAMED_ITEMS).join(', ')}${more}`;
}

/** A request can lower the agent's own limits but not raise them. */
function smaller(own: BudgetLimits, asked: BudgetLimits): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = { ...asked };
  for (const [key, limit] of Object.entries(own)) {
    const name = key as BudgetName;
    limits[name] = Math.min(limit, asked[name] ?? limit);
  }
  return limits;
}
