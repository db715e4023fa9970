import { join } from 'node:path';
import {
  type AgentFile,
  AgentFiles,
  type Instructions,
  readInstructions,
} from '../../adapters/workspace/index.ts';
import {
  type AgentDefinition,
  type AgentFileErrorCode,
  type AgentModel,
  type AgentProblem,
  agentNameProblems,
  agentToolProblems,
  DEFAULT_AGENT,
  parseAgent,
} from '../../agent/index.ts';
import type {
  AgentApi,
  AgentCheckAnswer,
  AgentDetails,
  AgentView,
  NewAgentRequest,
} from '../../api/index.ts';
import type { ContentOrigins, Owners } from '../../engine/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import { agentProcess } from './agent-process.ts';

export interface AgentsOptions {
  readonly workspace: string;
  /** Throws unless the workspace is trusted. */
  readonly requireTrust: () => void;
  /** What is known about the origin of content. */
  readonly content?: () => Promise<ContentOrigins>;
  /** Whether the user lets a file replace a built-in agent. */
  readonly mayReplace?: (file: AgentFile) => boolean;
  readonly toolNames: () => Promise<readonly string[]>;
  /** Tells which processes of agents are alive. */
  readonly owners?: Owners;
  /** A configured model, or the default one, as `provider/model`; undefined if it is not configured. */
  readonly modelName?: (name: string | undefined) => Promise<string | undefined>;
  /** Problems of a model, found without calling it: no key, unknown name. */
  readonly checkModel?: (model: AgentModel) => Promise<readonly { readonly message: string }[]>;
}

/** An agent file and its parsed definition. */
interface FoundAgent {
  readonly name: string;
  readonly path?: string;
  readonly agent?: AgentDefinition;
  readonly problems: readonly AgentProblem[];
}

/** The agents of a workspace, and the instructions for all of them. */
export class Agents implements AgentApi {
  readonly #options: AgentsOptions;
  readonly #files: AgentFiles;

  constructor(options: AgentsOptions) {
    this.#options = options;
    this.#files = new AgentFiles(options.workspace);
  }

  /** The agent with this name. Requires trust. */
  async load(name: string): Promise<AgentDefinition> {
    this.#options.requireTrust();
    const { agent, problems } = await this.#require(name);
    if (agent) return agent;
    throw invalid(name, problems);
  }

  /** The `AGENTS.md` files from the workspace down to `folder`. Requires trust. */
  async instructions(folder?: string): Promise<readonly Instructions[]> {
    this.#options.requireTrust();
    return readInstructions(this.#options.workspace, folder);
  }

  /** Where the file of an agent or its instructions come from, if they are untrusted. */
  async untrustedBrief(agent: string): Promise<string | undefined> {
    const origins = await this.#options.content?.();
    if (origins === undefined) return undefined;
    const paths = [
      ...(await this.#all()).flatMap(({ name, path }) =>
        name === agent && path !== undefined ? [path] : [],
      ),
      ...(await this.instructions()).map(({ path }) => path),
    ];
    for (const path of paths) {
      const untrusted = await origins.untrustedFile(path);
      if (untrusted !== undefined) return untrusted;
    }
    return undefined;
  }

  /** The names of all agents, without reading their files. */
  async names(): Promise<ReadonlySet<string>> {
    return new Set([DEFAULT_AGENT.name, ...(await this.#files.names())]);
  }

  async list(): Promise<readonly AgentView[]> {
    return (await this.#all()).map((found) => {
      const { owners, workspace } = this.#options;
      const own = owners && agentProcess(join(workspace, '.oka'), owners, found.name);
      const view = viewAgent(found);
      return own === undefined ? view : { ...view, process: { pid: own.pid, startedAt: own.startedAt } };
    });
  }

  async show(name: string): Promise<AgentDetails> {
    const found = await this.#require(name);
    const own = found.agent?.model;
    const answeredBy =
      own === undefined || 'configured' in own
        ? await this.#options.modelName?.(own?.configured)
        : `${own.provider}${own.model === undefined ? '' : `/${own.model}`}`;
    const details = viewDetails(found, await this.#problemsOf(found));
    return answeredBy === undefined ? details : { ...details, answeredBy };
  }

  async check(name?: string): Promise<AgentCheckAnswer> {
    const found = name === undefined ? await this.#all() : [await this.#require(name)];
    const agents = await Promise.all(
      found.map(async (one) => {
        const problems = await this.#problemsOf(one);
        const path = one.path === undefined ? {} : { path: one.path };
        return { name: one.name, ...path, valid: problems.length === 0, problems };
      }),
    );
    return { valid: agents.every(({ valid }) => valid), agents };
  }

  async create(request: NewAgentRequest): Promise<AgentDetails> {
    this.#options.requireTrust();
    const { name, persona = `You are ${name}.`, topP, ...rest } = request;
    const fields = { name, ...rest, ...(topP === undefined ? {} : { top_p: topP }) };
    const { agent, problems } = parseAgent(fields, persona);
    const found = { name, ...(agent ? { agent } : {}), problems };
    const everything = await this.#problemsOf(found);
    if (everything.length > 0) throw invalid(name, everything);
    await this.#requireFree(name);
    const path = await this.#files.create(name, fields, persona);
    return viewDetails({ ...found, path }, []);
  }

  /** Names that differ only in case are one file on some disks. */
  async #requireFree(name: string): Promise<void> {
    const same = (await this.#files.list()).find((file) => file.name.toLowerCase() === name.toLowerCase());
    if (same === undefined) return;
    throw new OkaError<AgentFileErrorCode>(
      'agent.exists',
      `${same.path} already exists. Edit it, or choose another name.`,
      { data: { agent: name, path: same.path } },
    );
  }

  async #all(): Promise<readonly FoundAgent[]> {
    const { mayReplace = () => true } = this.#options;
    const files = await this.#files.list();
    const found = files.filter((file) => file.name !== DEFAULT_AGENT.name || mayReplace(file)).map(readAgent);
    if (found.some(({ name }) => name === DEFAULT_AGENT.name)) return found;
    return [{ name: DEFAULT_AGENT.name, agent: DEFAULT_AGENT, problems: [] }, ...found];
  }

  async #require(name: string): Promise<FoundAgent> {
    const all = await this.#all();
    const found = all.find((agent) => agent.name === name);
    if (found) return found;
    const nearest = nearestName(
      name,
      all.map((agent) => agent.name),
    );
    const hint = didYouMean(nearest, 'See: oka agent list.');
    throw new OkaError<AgentFileErrorCode>('agent.unknown', `there is no agent "${name}". ${hint}`, {
      data: { agent: name },
    });
  }

  /** Problems of an agent's file, model and tools. */
  async #problemsOf({ agent, problems }: FoundAgent): Promise<readonly AgentProblem[]> {
    if (agent === undefined) return problems;
    const { model, tools } = agent;
    return [
      ...problems,
      ...(model === undefined ? [] : await this.#modelProblems(model)),
      ...(tools === undefined ? [] : agentToolProblems(tools, await this.#options.toolNames())),
    ];
  }

  async #modelProblems(model: AgentModel): Promise<readonly AgentProblem[]> {
    const script = 'configured' in model ? undefined : model.script;
    if (script !== undefined && !this.#files.canRead(script)) {
      const message = `the script ${script} cannot be read`;
      const next = 'Give the path of a file, relative to the workspace.';
      return [{ code: 'agent.script_unreadable', field: 'script', message, next }];
    }
    return ((await this.#options.checkModel?.(model)) ?? []).map(({ message }) => ({
      code: 'agent.model_unusable',
      field: 'model',
      message: message.replace(/\.$/, ''),
      next: 'See: docs/formats/models.md.',
    }));
  }
}

function readAgent({ name, path, content }: AgentFile): FoundAgent {
  if ('problem' in content) {
    const { missing, message, next } = content.problem;
    const code = missing ? 'agent.no_front_matter' : 'agent.unreadable';
    return { name, path, problems: [{ code, message, next }] };
  }
  const { agent, problems } = parseAgent(content.fields, content.body);
  if (agent === undefined || agent.name === name)
    return { name, path, ...(agent ? { agent } : {}), problems };
  const differs: AgentProblem = {
    code: 'agent.name_differs',
    field: 'name',
    message: `the file is named "${name}", but the agent in it "${agent.name}"`,
    next: 'Give both the same name.',
  };
  return { name, path, problems: [...agentNameProblems(name), differs] };
}

function viewAgent({ name, path, agent, problems }: FoundAgent): AgentView {
  const { description, model, contextRole, tools } = agent ?? {};
  return {
    name,
    ...(description === undefined ? {} : { description }),
    ...viewModel(model),
    ...(contextRole === undefined ? {} : { contextRole }),
    ...(tools === undefined ? {} : { tools }),
    ...(path === undefined ? {} : { path }),
    valid: problems.length === 0,
  };
}

function viewModel(model: AgentModel | undefined): Pick<AgentView, 'provider' | 'model' | 'script'> {
  if (model === undefined) return {};
  if ('configured' in model) return { model: model.configured };
  const { provider, model: name, script } = model;
  return {
    provider,
    ...(name === undefined ? {} : { model: name }),
    ...(script === undefined ? {} : { script }),
  };
}

function viewDetails(found: FoundAgent, problems: readonly AgentProblem[]): AgentDetails {
  const { model, temperature, topP, budgets, persona } = found.agent ?? {};
  const fallback = model === undefined || 'configured' in model ? undefined : model.fallback;
  return {
    ...viewAgent({ ...found, problems }),
    ...(fallback === undefined ? {} : { fallback }),
    ...(temperature === undefined ? {} : { temperature }),
    ...(topP === undefined ? {} : { topP }),
    ...(budgets === undefined ? {} : { budgets }),
    persona: persona ?? '',
    problems,
  };
}

function invalid(name: string, problems: readonly AgentProblem[]): OkaError<AgentFileErrorCode> {
  const sentences = problems.map(({ message, next }) => `${message}. ${next}`);
  return new OkaError('agent.invalid', `the agent "${name}" cannot be used: ${sentences.join(' ')}`, {
    data: { agent: name, problems },
  });
}
