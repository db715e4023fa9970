import type { RunAnswer, ToolDetails, ToolsApi, ToolView } from '../../api/index.ts';
import type { RunRequest, Tool } from '../../engine/index.ts';
import { didYouMean, nearestName, OkaError } from '../../kernel/index.ts';

/** What calling single tools needs of the workspace. */
export interface SingleToolsParts {
  readonly tools: () => Promise<readonly Tool[]>;
  readonly run: (
    request: RunRequest,
    options: Pick<Parameters<ToolsApi['call']>[0], 'patienceMs' | 'signal' | 'onEvent' | 'simulate'>,
  ) => Promise<RunAnswer>;
}

/** Tools by themselves: what there is, and calling one. */
export class SingleTools implements ToolsApi {
  readonly #parts: SingleToolsParts;

  constructor(parts: SingleToolsParts) {
    this.#parts = parts;
  }

  async list(): Promise<readonly ToolView[]> {
    const tools = await this.#parts.tools();
    return tools.map(viewTool).sort((a, b) => (a.name < b.name ? -1 : 1));
  }

  async show(name: string): Promise<ToolDetails> {
    const tool = await this.#require(name);
    const output = tool.output?.json();
    return { ...viewTool(tool), input: tool.input.json(), ...(output === undefined ? {} : { output }) };
  }

  call: ToolsApi['call'] = async ({ tool, input, ...options }) => {
    await this.#require(tool);
    const request = { kind: 'call', goal: `call ${tool}`, vars: { tool, input } };
    return this.#parts.run(request, options);
  };

  async #require(name: string): Promise<Tool> {
    const tools = await this.#parts.tools();
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
