// Owns: which model a recorded run asked, and which one it would ask today. Calls none.
import { chooseModel, recordedBrief } from '../../agent/index.ts';
import type { ModelUse, RunState } from '../../engine/index.ts';
import { asObject, isOkaError, type Json } from '../../kernel/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

const NO_MODEL_TODAY = 'none';

/** Tools that ask the model that their input names, or the default one. */
const ASKING_TOOLS: ReadonlySet<string> = new Set(['model.complete', 'model.choose']);

type Services = Pick<WorkspaceServices, 'models' | 'agents' | 'config'>;

/** The name of a run's model when it was recorded, and today. */
interface RunModel {
  readonly recorded: string | undefined;
  readonly today: string | undefined;
}

export class CurrentModels {
  readonly #services: Services;
  readonly #runs = new Map<string, RunModel>();

  constructor(services: Services) {
    this.#services = services;
  }

  /** The model that plans this run today, as provider/model. Parents must come before their children. */
  async ofRun(run: RunState): Promise<string | undefined> {
    const brief = recordedBrief(run.evidence);
    if (brief === undefined) return undefined;
    const chosen = await this.#chosenFor(run, brief.agent);
    this.#runs.set(run.id, { recorded: brief.model, today: chosen?.name });
    if (chosen === undefined) return undefined;
    return chosen.name === undefined ? NO_MODEL_TODAY : this.#nameOf(chosen.name);
  }

  /** The model that a call asks today; undefined for calls that ask none. */
  async ofCall(decision: Json): Promise<string | undefined> {
    const { kind, tool, input } = asObject(decision);
    if (kind !== 'call_tool' || typeof tool !== 'string' || !ASKING_TOOLS.has(tool)) return undefined;
    const { model } = asObject(input);
    return this.#nameOf(typeof model === 'string' ? model : undefined);
  }

  /** The name of the model, if any; undefined if the agent is missing, which is reported as such. */
  async #chosenFor(
    { vars, lineage }: RunState,
    agent: string,
  ): Promise<{ readonly name: string | undefined } | undefined> {
    const parent = this.#runs.get(lineage.parent ?? '');
    const { model: named } = vars;
    // A task names the model that its parent had chosen.
    if (parent !== undefined && named === parent.recorded) return { name: parent.today };
    const { defaultModel } = await this.#services.config();
    try {
      const definition = await (await this.#services.agents()).load(agent);
      return { name: chooseModel({ named, agent: definition, defaultModel }) };
    } catch (error) {
      if (!isOkaError(error, 'agent.unknown') && !isOkaError(error, 'agent.invalid')) throw error;
      return undefined;
    }
  }

  async #nameOf(name: string | undefined): Promise<string> {
    const models = await this.#services.models();
    const found = await models.nameOf(name);
    return found ?? (name === undefined ? NO_MODEL_TODAY : `${name} (not configured)`);
  }
}

/** The recorded model as provider/model. After a fallback the record names the provider that answered, not the one asked. */
export function recordedModel(use: ModelUse, today: string | undefined): string | undefined {
  const { asked = use.model } = asObject(use.manifest);
  const model = String(asked);
  const isFallback =
    use.provider.includes(',') || use.recovered?.some(({ kind }) => kind === 'fallback_model') === true;
  if (!isFallback) return `${use.provider}/${model}`;
  return today?.endsWith(`/${model}`) === true ? today : undefined;
}
