import type { ToolDetails, ToolsApi, ToolView } from '../../api/index.ts';
import { hostsNamedBy, type Tool } from '../../engine/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { keyedStart } from './start-key.ts';

/** Lists tools, and calls one in a run of its own. */
export class SingleTools implements ToolsApi {
  readonly #services: Pick<WorkspaceServices, 'tools' | 'start'>;

  constructor(services: Pick<WorkspaceServices, 'tools' | 'start'>) {
    this.#services = services;
  }

  async list(): Promise<readonly ToolView[]> {
    const tools = await this.#services.tools();
    return tools.map(viewTool).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async show(name: string): Promise<ToolDetails> {
    const tool = await this.#require(name);
    const output = tool.output?.json();
    return { ...viewTool(tool), input: tool.input.json(), ...(output === undefined ? {} : { output }) };
  }

  call: ToolsApi['call'] = async (request) => {
    const { tool, input, byProgram } = request;
    await this.#require(tool);
    const namedHosts = byProgram ? [] : hostsNamedBy(input);
    const run = { kind: 'call', goal: `call ${tool}`, vars: { tool, input }, namedHosts };
    return this.#services.start({ ...run, ...keyedStart('tools.call', request) }, request);
  };

  async #require(name: string): Promise<Tool> {
    const tools = await this.#services.tools();
    const found = tools.find((tool) => tool.name === name);
    if (found) return found;
    const near = nearestName(
      name,
      tools.map((tool) => tool.name),
    );
    const message = `there is no tool "${name}". ${didYouMean(near, 'See: oka tools list.')}`;
    throw new OkaError('engine.unknown_tool', message, { data: { tool: name } });
  }
}

function viewTool({ name, description, sideEffect, annotations, source = 'built-in' }: Tool): ToolView {
  return { name, description, sideEffect, annotations, source };
}
