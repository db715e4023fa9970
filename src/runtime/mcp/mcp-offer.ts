import type {
  CallContext,
  CallOutcome,
  CompletionRequest,
  McpOffer,
  OfferChange,
  OfferedPrompt,
  OfferedResource,
  OfferedTemplate,
  OfferedTool,
  ResourceContent,
} from '../../adapters/mcp-server/index.ts';
import type { GraphListItem, OkaApi, ToolDetails, ToolView } from '../../api/index.ts';
import { isMissingRun } from '../../engine/index.ts';
import {
  type Clock,
  didYouMean,
  digestOfJson,
  isOkaError,
  type Json,
  type JsonObject,
  nearestName,
  OkaError,
} from '../../kernel/index.ts';
import { wireToolNames } from '../../models/index.ts';
import { matchNames } from './match-names.ts';
import { OfferChanges } from './offer-changes.ts';
import {
  graphOfTool,
  graphPrompt,
  graphResource,
  graphTool,
  graphToolName,
  inputOf,
  type OfferedGraph,
} from './offered-graphs.ts';
import { OfferedRuns } from './offered-runs.ts';

/** How long a call waits for timers before the client is told that it waits. */
const PATIENCE_MS = 30_000;
const RUN = 'oka://run/';
const GRAPH = 'oka://graph/';
const JSON_TYPE = 'application/json';
/** Tools for use inside runs, or that spend the user's money. Graphs have tools of their own. */
const ONLY_IF_NAMED = matchNames(['engine.*', 'graph.*', 'model.*']);

export interface McpOfferParts {
  readonly api: Pick<OkaApi, 'tools' | 'graphs' | 'runs'>;
  /** Names of tools to offer in addition. */
  readonly tools: readonly string[];
  readonly by: string;
  readonly clock: Clock;
  readonly onWarning: (what: string) => void;
}

/** What Oka offers to MCP clients. Each call is a recorded run under policy. */
export class OkaOffer implements McpOffer {
  readonly #parts: McpOfferParts;
  readonly #widened: (name: string) => boolean;
  readonly #runs: OfferedRuns;
  readonly #changes: OfferChanges;
  /** Tells graphs as they were seen last from those that stand there now. */
  #graphs = '';
  #recent: readonly OfferedTool[] | undefined;

  constructor(parts: McpOfferParts) {
    this.#parts = parts;
    this.#widened = matchNames(parts.tools);
    this.#runs = new OfferedRuns(parts.api, parts.by);
    const { clock, onWarning } = parts;
    this.#changes = new OfferChanges({ clock, onWarning, look: () => this.#look() });
  }

  /** Refuses patterns that no tool fits, and looks at what there is, so that changes are noticed from here on. */
  async prepare(): Promise<void> {
    this.#graphs = digestOfJson(await this.#parts.api.graphs.list());
    const names = (await this.#parts.api.tools.list()).map(({ name }) => name);
    const wrong = this.#parts.tools.find((pattern) => !names.some(matchNames([pattern])));
    if (wrong === undefined) return;
    const hint = didYouMean(nearestName(wrong, names), 'See: oka tools list.');
    throw new OkaError('engine.unknown_tool', `no tool fits "${wrong}". ${hint}`, { data: { tool: wrong } });
  }

  close(): void {
    this.#runs.close();
    this.#changes.close();
  }

  async tools(options = { recent: false }): Promise<readonly OfferedTool[]> {
    if (options.recent && this.#recent) return this.#recent;
    const { tools } = this.#parts.api;
    const views = (await tools.list()).filter((view) => this.#isOffered(view));
    const own = await Promise.all(views.map(async ({ name }) => showTool(await tools.show(name))));
    this.#recent = [...own, ...(await this.#listGraphs()).map(graphTool)];
    return this.#recent;
  }

  async call(name: string, input: JsonObject, context: CallContext): Promise<CallOutcome> {
    const { tools, graphs } = this.#parts.api;
    const patienceMs = PATIENCE_MS;
    const id = graphOfTool(name);
    if (id === undefined)
      return this.#runs.call(
        (onEvent) => tools.call({ tool: name, input, byProgram: true, patienceMs, onEvent }),
        context,
      );
    const request = {
      graph: id,
      input: inputOf(await this.#requireGraph(id), input),
      vars: {},
      byProgram: true as const,
      simulate: false,
      budgets: {},
      patienceMs,
    };
    return this.#runs.call((onEvent) => graphs.run({ ...request, onEvent }), context);
  }

  async resources(): Promise<readonly OfferedResource[]> {
    const runs = this.#runs.started.map((run) => ({
      uri: `${RUN}${run}`,
      name: run,
      description: 'The result of a call.',
      mediaType: JSON_TYPE,
    }));
    return [...(await this.#listGraphs()).map(graphResource), ...runs];
  }

  async templates(): Promise<readonly OfferedTemplate[]> {
    return [
      {
        template: `${GRAPH}{id}`,
        name: 'graph',
        description: 'The definition of a graph of this workspace.',
        mediaType: JSON_TYPE,
      },
      {
        template: `${RUN}{id}`,
        name: 'run',
        description: 'The status of a run, and its output once it has ended.',
        mediaType: JSON_TYPE,
      },
    ];
  }

  async read(uri: string): Promise<ResourceContent | undefined> {
    const { runs, graphs } = this.#parts.api;
    try {
      if (uri.startsWith(RUN)) return asJson(await runs.show(decodeURIComponent(uri.slice(RUN.length))));
      if (!uri.startsWith(GRAPH)) return undefined;
      const id = decodeURIComponent(uri.slice(GRAPH.length));
      // Only graphs that the workspace keeps: an id that is a path would lead to other files.
      const known = (await graphs.list()).find((graph) => graph.id === id && graph.problem === undefined);
      return known && asJson((await graphs.show(known.path)).definition);
    } catch (error) {
      const absent = isMissingRun(error) || isOkaError(error, 'graph.unknown');
      if (absent || error instanceof URIError) return undefined;
      throw error;
    }
  }

  async prompts(): Promise<readonly OfferedPrompt[]> {
    return (await this.#listGraphs()).map(graphPrompt);
  }

  async prompt(name: string, values: Readonly<Record<string, string>>) {
    const graph = (await this.#listGraphs()).find((one) => graphPrompt(one).name === name);
    const names = (await this.tools({ recent: true })).map((tool) => tool.name);
    const tool = wireToolNames(names).toWire(graphToolName(graph?.id ?? ''));
    const text = `Call the tool ${tool} with these arguments, with the types of its schema, and report the result:\n${JSON.stringify(values, null, 2)}`;
    return [{ role: 'user' as const, content: { type: 'text' as const, text } }];
  }

  async complete({ of, argument, begun }: CompletionRequest): Promise<readonly string[]> {
    if (!('template' in of) || argument !== 'id') return [];
    const ids =
      of.template === `${GRAPH}{id}`
        ? (await this.#listGraphs()).map(({ id }) => id)
        : of.template === `${RUN}{id}`
          ? this.#runs.started
          : [];
    return ids.filter((id) => id.startsWith(begun));
  }

  onChange(listener: (change: OfferChange) => void): () => void {
    return this.#changes.subscribe(listener);
  }

  /** By default what only reads, and what graphs remember; policy decides about each call in either case. */
  #isOffered({ name, sideEffect, annotations, source }: ToolView): boolean {
    if (this.#widened(name)) return true;
    if (source !== 'built-in' || ONLY_IF_NAMED(name)) return false;
    return (sideEffect === 'read' && annotations.readOnly) || name.startsWith('state.');
  }

  async #requireGraph(id: string): Promise<OfferedGraph> {
    const [found] = await this.#listGraphs((graph) => graph.id === id);
    if (found) return found;
    throw new OkaError('graph.unknown', `there is no graph "${id}" any more; ask for the list of tools.`, {
      data: { graph: id },
    });
  }

  /** The graphs that can be run; of several with one id the first. */
  async #listGraphs(wanted: (item: GraphListItem) => boolean = () => true): Promise<readonly OfferedGraph[]> {
    const { graphs } = this.#parts.api;
    const listed = (await graphs.list()).filter((item) => item.problem === undefined && wanted(item));
    const distinct = [...new Map(listed.toReversed().map((item) => [item.id, item])).values()].reverse();
    const shown = await Promise.all(
      distinct.map(async (item) => ({ item, answer: await graphs.show(item.path) })),
    );
    return shown
      .filter(({ answer }) => answer.valid)
      .map(({ item: { id, name }, answer }) => {
        const { description, input_schema: input } = answer.definition as {
          description?: string;
          input_schema?: JsonObject;
        };
        return { id, name, ...(description ? { description } : {}), ...(input ? { input } : {}) };
      });
  }

  async #look(): Promise<readonly OfferChange[]> {
    const graphs = digestOfJson(await this.#parts.api.graphs.list());
    const changed = graphs !== this.#graphs;
    if (changed) this.#recent = undefined;
    this.#graphs = graphs;
    const runs = await this.#runs.changed();
    return [
      ...(changed ? (['tools', 'resources', 'prompts'] as const).map((what) => ({ what })) : []),
      ...runs.map((run) => ({ what: 'resource' as const, uri: `${RUN}${run}` })),
    ];
  }
}

function showTool({ name, description, input, output, annotations, sideEffect }: ToolDetails): OfferedTool {
  return {
    name,
    description,
    input,
    ...(output === undefined ? {} : { output }),
    hints: {
      readOnly: annotations.readOnly,
      destructive: annotations.destructive,
      idempotent: annotations.idempotent,
      openWorld: sideEffect === 'external_mutation',
    },
  };
}

function asJson(value: Json | object): ResourceContent {
  return { mediaType: JSON_TYPE, text: JSON.stringify(value, null, 2) };
}
