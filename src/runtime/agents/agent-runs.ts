import {
  type AgentBrief,
  type AgentDefinition,
  BRIEF,
  briefToJson,
  chooseModel,
  DEFAULT_AGENT,
  NO_MODEL,
} from '../../agent/index.ts';
import {
  agentOf,
  type BudgetLimits,
  type BudgetName,
  type Evidence,
  parseBudgets,
  type Recall,
  type RunRequest,
} from '../../engine/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import { type ContextPack, PACK, packToJson } from '../../memory/index.ts';
import { CONVERSATION, type ToldConversation } from '../chat/conversation-recall.ts';

/** Kinds of runs whose planner may ask a model. */
const PLANNED = ['agent', 'assistant'];

/** What runs of agents need of the workspace. */
export interface AgentRunsParts {
  readonly load: (agent: string) => Promise<AgentDefinition>;
  /** The model for agents that name none; undefined where none is configured. */
  readonly defaultModel: () => Promise<string | undefined>;
  readonly instructions: () => Promise<AgentBrief['instructions']>;
  readonly skills: () => Promise<AgentBrief['skills']>;
  /** What is known that fits a run's goal; without it agents begin with their instructions alone. */
  readonly pack?: (about: RecallRequest) => Promise<ContextPack>;
  /** What was said in the conversation that a run answers in, if it answers in one. */
  readonly conversation?: (vars: JsonObject) => Promise<ToldConversation | undefined>;
}

/** What is recalled for: a run, as far as the engine tells of it. */
export interface RecallRequest {
  readonly goal: string;
  readonly vars: JsonObject;
  readonly run?: { readonly id: string; readonly parent?: string };
}

/** Makes runs of agents: who acts, with which model, and what they are told when the run begins. */
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
    /** Set: the goal is split into tasks, which are done and checked one by one. */
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

  /** What an agent is told when its run begins, whoever has started it: its brief, and what is known that fits. */
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
    const instructions = await this.#parts.instructions();
    const brief: AgentBrief = {
      agent,
      model,
      persona: definition.persona,
      ...(definition.tools === undefined ? {} : { tools: definition.tools }),
      ...(definition.model?.temperature === undefined ? {} : { temperature: definition.model.temperature }),
      // A pack holds their text itself, within its cap.
      instructions: pack === undefined ? instructions : instructions.map(({ path }) => ({ path, text: '' })),
      skills: await this.#parts.skills(),
    };
    const said = await this.#parts.conversation?.(vars);
    const begin = { step: 0, state: 'intake', source: 'recall' } as const;
    return [
      { ...begin, tool: BRIEF, output: briefToJson(brief) },
      ...(pack === undefined ? [] : [packEvidence(pack)]),
      ...(said === undefined
        ? []
        : [
            {
              ...begin,
              tool: CONVERSATION,
              output: said.text,
              ...(said.untrusted ? { untrusted: true as const } : {}),
            },
          ]),
    ];
  };
}

/** A pack with something that strangers had a hand in makes the run one that has read their words. */
function packEvidence(pack: ContextPack): Evidence {
  const untrusted = pack.items.some(({ ofStrangers }) => ofStrangers);
  const told = { step: 0, state: 'intake', source: 'recall', tool: PACK, output: packToJson(pack) } as const;
  return untrusted ? { ...told, untrusted } : told;
}

/** What a person asks for can be less than the agent's own limits, not more. */
function smaller(own: BudgetLimits, asked: BudgetLimits): BudgetLimits {
  const limits: { [name in BudgetName]?: number } = { ...asked };
  for (const [key, limit] of Object.entries(own)) {
    const name = key as BudgetName;
    limits[name] = Math.min(limit, asked[name] ?? limit);
  }
  return limits;
}
