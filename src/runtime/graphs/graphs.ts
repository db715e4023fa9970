import { relative } from 'node:path';
import type { GraphFiles } from '../../adapters/workspace/index.ts';
import type {
  BuildAnswer,
  GraphApi,
  PictureFormat,
  RunAnswer,
  RunGraphRequest,
  RunListItem,
  RunView,
} from '../../api/index.ts';
import {
  type BudgetLimits,
  DEFAULT_LIMITS,
  type Engine,
  hostsNamedBy,
  isLargeOutput,
  parseBudgets,
  type RunRequest,
  type RunState,
  type StateGraph,
} from '../../engine/index.ts';
import {
  type BuiltGraph,
  buildGraph,
  type CompiledGraph,
  compileGraph,
  diffDefinitions,
  findSchemaIssues,
  type GraphDefinition,
  graphJsonSchema,
  promoteRun,
  type RunStatuses,
  renderAscii,
  renderDot,
  renderMermaid,
  renderSvg,
  runningGraph,
  type TracedAction,
  toStateGraph,
} from '../../graph/index.ts';
import {
  asObject,
  canonicalJson,
  type Digest,
  type Json,
  type JsonObject,
  OkaError,
} from '../../kernel/index.ts';
import type { StreamAppend } from '../../ledger/index.ts';
import type { Schedule } from '../../schedule/index.ts';
import type { GraphRunner, ReminderService } from '../../tools/index.ts';
import { keyedStart } from '../runs/start-key.ts';
import type { Schedules } from '../schedules/schedules.ts';
import { viewListItem } from '../services/views.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { type ActingItem, scheduleItem } from '../trust/acting-items.ts';
import { contentOfCompiled, contentOfFiles } from '../trust/graph-content.ts';
import { galleryGraphs } from './gallery.ts';
import { type FoundGraph, GraphLibrary, toolDirectory, withoutStop } from './graph-library.ts';
import { checkpointsOf, nodeStatuses } from './graph-progress.ts';
import { listVersions, saveGraph, showVersion } from './graph-versions.ts';
import { listGraphs } from './list-graphs.ts';

/** The default limits of a graph run; its own max_steps is stricter. */
const GRAPH_LIMITS: BudgetLimits = {
  steps: 100_000,
  tool_calls: 100_000,
  children: 10_000,
  retries: 10_000,
  wall_ms: 86_400_000,
};

/** The graphs of one workspace. */
export class Graphs implements GraphApi {
  readonly library: GraphLibrary;
  readonly schedules: GraphApi['schedules'] & ReminderService & Pick<Schedules, 'fireDue'>;
  readonly #services: WorkspaceServices;
  readonly #files: GraphFiles;

  constructor(services: WorkspaceServices, files: GraphFiles, schedules: Graphs['schedules']) {
    this.#services = services;
    this.#files = files;
    this.library = new GraphLibrary(files, services.tools);
    this.schedules = schedules;
  }

  schema = async (): Promise<Json> => graphJsonSchema();
  list: GraphApi['list'] = async () => listGraphs(this.#files);
  gallery: GraphApi['gallery'] = async () => galleryGraphs();
  validate: GraphApi['validate'] = (graph, mode) => this.library.validate(graph, mode);
  show: GraphApi['show'] = (graph) => this.library.show(graph);
  check: GraphApi['check'] = ({ definition, mode }) => this.library.check(definition, mode);
  versions: GraphApi['versions'] = async (graph) => listVersions(this.library, graph);
  version: GraphApi['version'] = async (graph, revision) => showVersion(this.library, graph, revision);
  save: GraphApi['save'] = (request) => this.#keepingApprovals(() => saveGraph(this.library, request));

  patch: GraphApi['patch'] = (graph, node, field, value) =>
    this.#keepingApprovals(() => this.library.patch(graph, node, field, value));

  /** The user's own change of a scheduled graph needs no second approval. */
  async #keepingApprovals<Answer>(change: () => Promise<Answer>): Promise<Answer> {
    this.#services.requireTrust();
    const { trust } = this.#services;
    const itemOf = (schedule: Schedule): ActingItem =>
      scheduleItem(schedule, contentOfFiles(schedule.graph, this.#files));
    const approved = (await this.#services.ledger().schedules.list()).filter((schedule) =>
      trust.isApproved(itemOf(schedule)),
    );
    const answer = await change();
    for (const item of approved.map(itemOf)) if (!trust.isApproved(item)) trust.approveItem(item);
    return answer;
  }

  async render(
    graph: string | undefined,
    options: { readonly format: PictureFormat; readonly run?: string; readonly plain?: boolean },
  ): Promise<string> {
    const [definition, statuses] = await this.#pictured(graph, options.run);
    switch (options.format) {
      case 'mermaid':
        return renderMermaid(definition, statuses);
      case 'dot':
        return renderDot(definition, statuses);
      case 'svg':
        return renderSvg(definition, statuses);
      case 'ascii':
        return renderAscii(definition, statuses, { ascii: options.plain ?? false });
    }
  }

  async #pictured(
    graph: string | undefined,
    id: string | undefined,
  ): Promise<[GraphDefinition, RunStatuses | undefined]> {
    if (id !== undefined) {
      const engine = await this.#services.reading();
      const run = await engine.load(id);
      const { definition } = runningGraph(await engine.graphOf(run));
      return [definition, nodeStatuses(definition, run, await engine.events(id))];
    }
    const shown = await this.library.show(graph ?? '');
    return [shown.definition as unknown as GraphDefinition, undefined];
  }

  // --- running ---

  async run(request: RunGraphRequest): Promise<RunAnswer> {
    const { graph, input, vars, mode, budgets, byProgram } = request;
    this.#services.requireTrust();
    const found = await this.library.require(graph, mode);
    const namedHosts = byProgram ? [] : hostsNamedBy([input, vars]);
    const options = { input, vars, budgets, namedHosts };
    if (request.simulate)
      return this.#services.simulate((engine) => this.#request(engine, found, options), request);
    const run = await this.#request(await this.#services.acting(), found, options);
    return this.#services.start({ ...run, ...keyedStart('graphs.run', request) }, request);
  }

  /** The appends that create a run of the graph. */
  async prepareRun(
    graph: string,
    options: {
      readonly input: Json;
      readonly vars?: JsonObject;
      readonly namedHosts: readonly string[];
      readonly origin?: string;
      /** Called with the definitions that the run is made of; it throws if they may not run. */
      readonly check?: (content: Json) => void;
    },
  ): Promise<{ readonly run: string; readonly appends: readonly StreamAppend[] }> {
    const engine = await this.#services.acting();
    const found = await this.library.require(graph);
    options.check?.(contentOfCompiled(found.file.path, found.compiled, this.#files));
    return engine.prepare(await this.#request(engine, found, options));
  }

  /** A run of the graph for another run to start; its pins are added to `keep`. */
  child: GraphRunner['child'] = async (graph, input, keep) => {
    const keeper = { storeGraph: (used: StateGraph) => keep(canonicalJson(used.spec)) };
    const request = await this.#request(keeper, await this.library.require(graph), { input });
    const { kind, goal, vars = {}, budgets = {}, subject, untrustedFrom } = request;
    const kept = await keeper.storeGraph(request.graph as StateGraph);
    return {
      ...{ kind, goal, vars, budgets, graph: kept },
      ...(subject === undefined ? {} : { subject }),
      ...(untrustedFrom === undefined ? {} : { untrustedFrom }),
    };
  };

  /** The id of a valid graph, or its path if it is outside the workspace folder for graphs. */
  async identify(graph: string): Promise<{ readonly id: string }> {
    const { file, compiled } = await this.library.require(graph);
    const { id } = compiled.definition;
    return { id: this.#files.find(id)?.path === file.path ? id : this.#files.shown(file.path) };
  }

  async #request(
    engine: Pick<Engine, 'storeGraph'>,
    found: FoundGraph,
    options: {
      readonly input: Json;
      readonly vars?: JsonObject;
      readonly namedHosts?: readonly string[];
      readonly origin?: string;
      readonly budgets?: Readonly<Record<string, number>>;
    },
  ): Promise<RunRequest> {
    const { compiled } = found;
    const { definition } = compiled;
    requireInput(definition, options.input);
    const own = definition.execution_defaults.budgets ?? {};
    const { folder, content } = this.#services;
    const untrustedFrom = await (await content()).untrustedFile(relative(folder.workspace, found.file.path));
    return {
      kind: 'graph',
      goal: definition.name,
      subject: definition.id,
      graph: await toStateGraph(compiled, (used) => engine.storeGraph(used)),
      vars: { ...options.vars, ...this.#sourceOf(found), input: options.input },
      budgets: {
        ...GRAPH_LIMITS,
        ...retriesIn(compiled),
        ...parseBudgets(own),
        ...parseBudgets(options.budgets ?? {}),
      },
      ...(options.origin === undefined ? {} : { origin: options.origin }),
      ...(options.namedHosts === undefined ? {} : { namedHosts: options.namedHosts }),
      ...(untrustedFrom === undefined ? {} : { untrusted: true, untrustedFrom }),
    };
  }

  /** The path of a graph that is not found by its id, so that a run can be pinned to it again. */
  #sourceOf({ file, compiled }: FoundGraph): JsonObject {
    const own = this.#files.find(compiled.definition.id)?.path === file.path;
    return own ? {} : { graph_source: this.#files.shown(file.path) };
  }

  #nameOf(run: RunState): string {
    const { graph_source: source } = run.vars;
    return typeof source === 'string' ? source : (run.subject ?? '');
  }

  async replay(
    id: string,
    options: Pick<RunGraphRequest, 'patienceMs' | 'signal' | 'onEvent' | 'onText' | 'onActivity' | 'key'>,
  ): Promise<RunAnswer> {
    const engine = await this.#services.acting();
    const old = await this.#graphRun(engine, id);
    const request: RunRequest = {
      kind: 'graph',
      goal: old.goal,
      graph: await engine.graphOf(old),
      vars: old.vars,
      namedHosts: old.namedHosts ?? [],
      budgets: old.limits,
      ...(old.subject === undefined ? {} : { subject: old.subject }),
    };
    const keyed = keyedStart('graphs.replay', { ...options, run: id } as never);
    return this.#services.start({ ...request, ...keyed }, options);
  }

  async runs(graph: string, limit: number, full: boolean): Promise<readonly (RunListItem | RunView)[]> {
    const subject = await this.#idOf(graph);
    const runs = await this.#services.ledger().runs.list({ subject, limit });
    if (!full) return runs.map((run) => viewListItem(run, this.#services.owners));
    const engine = await this.#services.reading();
    return Promise.all(runs.map(async ({ id }) => (await this.#services.answer(await engine.load(id))).run));
  }

  /** The current graph of the workspace, for a run that is to be pinned to it. */
  async current(run: RunState): Promise<StateGraph> {
    const engine = await this.#services.acting();
    const { compiled } = await this.library.require(this.#nameOf(run));
    return toStateGraph(compiled, (used) => engine.storeGraph(used));
  }

  repinDifferences: GraphApi['repinDifferences'] = async (id) => {
    const engine = await this.#services.reading();
    const run = await engine.load(id);
    if (run.kind !== 'graph') return [];
    const pinned = runningGraph(await engine.graphOf(run)).definition;
    const { compiled } = await this.library.require(this.#nameOf(run));
    return diffDefinitions(pinned, compiled.definition);
  };

  async #graphRun(engine: Engine, id: string): Promise<RunState> {
    const run = await engine.load(id);
    if (run.kind === 'graph') return run;
    throw new OkaError('graph.unknown', `run ${id} is not a run of a graph; see: oka runs show ${id}.`, {
      data: { run: id },
    });
  }

  /** The id of a graph's runs and state, even if its file is gone. */
  async #idOf(graph: string): Promise<string> {
    const file = this.#files.find(graph);
    if (file === undefined) {
      const { runs, graphState } = this.#services.ledger();
      const known = await Promise.all([runs.list({ subject: graph, limit: 1 }), graphState.list(graph)]);
      if (known.every((found) => found.length === 0)) this.library.file(graph);
      return graph;
    }
    const shown = await this.library.show(graph);
    const { id } = (shown.definition ?? {}) as { id?: unknown };
    return typeof id === 'string' ? id : graph;
  }

  // --- state ---

  readonly state: GraphApi['state'] = {
    list: async (graph) => this.#services.ledger().graphState.list(await this.#idOf(graph)),
    get: async (graph, key) => this.#services.ledger().graphState.get(await this.#idOf(graph), key),
    history: async (graph, key, limit) =>
      this.#services.ledger().graphState.history(await this.#idOf(graph), key, limit),
    checkpoints: async (run) => checkpointsOf(await (await this.#services.reading()).events(run)),
  };

  // --- building ---

  async build(
    intent: string,
    options: { readonly id?: string; readonly dryRun: boolean },
  ): Promise<BuildAnswer> {
    this.#services.requireTrust();
    const model = (await this.#services.config()).defaultModel;
    if (model !== undefined) return this.#buildWithModel(intent, model, options);
    const tools = await this.#services.tools();
    const directory = toolDirectory(tools);
    const compile = (source: unknown) => compileGraph(source, { tools: directory });
    const built = await buildGraph(intent, { tools, compile });
    return this.#keep(built, options, 1);
  }

  async #buildWithModel(
    intent: string,
    model: string,
    options: { readonly id?: string; readonly dryRun: boolean },
  ): Promise<BuildAnswer> {
    const backend = await this.#services.backend();
    const run = await backend.start({ kind: 'builder', goal: intent, vars: { model } });
    if (run.ended?.status === 'completed') {
      const built = run.output as unknown as BuiltGraph & { readonly attempts: number };
      return this.#keep(built, options, built.attempts);
    }
    const { code, message } = run.failure ?? {
      code: 'graph.build_failed',
      message: `the run that builds the graph waits; see: oka runs show ${run.id}.`,
    };
    throw new OkaError(code, message, { data: { run: run.id } });
  }

  async fromRun(
    id: string,
    options: { readonly id?: string; readonly dryRun: boolean; readonly keep?: readonly string[] },
  ): Promise<BuildAnswer> {
    this.#services.requireTrust();
    const engine = await this.#services.reading();
    const { run, actions } = await engine.explain(id);
    const trace: TracedAction[] = [];
    for (const { state, tool, input = null, output, outcome } of actions) {
      if (tool === undefined) continue;
      const done = outcome === 'ok' && output !== undefined;
      trace.push({ state, tool, input, output: done ? await wholeOutput(output, engine) : undefined });
    }
    const definition = promoteRun(trace, {
      id: options.id ?? `run-${id.slice(-8).toLowerCase()}`,
      name: run.goal,
      ...(options.keep && { keep: options.keep }),
    });
    const { graph, diagnostics } = await this.library.compileDefinition(definition, undefined);
    if (graph === undefined) {
      const [first] = diagnostics;
      throw new OkaError(
        'graph.cannot_promote',
        `run ${id} cannot be made a graph: ${first?.message ?? ''}`,
        {
          data: { diagnostics },
        },
      );
    }
    const choices = definition.nodes.flatMap((node) =>
      node.type === 'tool'
        ? [{ step: node.node_id, node_id: node.node_id, tool: node.tool, why: `run ${id} called it` }]
        : [],
    );
    return this.#keep({ definition, choices }, options, 1);
  }

  #keep(
    built: Pick<BuiltGraph, 'definition' | 'choices' | 'schedule'>,
    options: { readonly id?: string; readonly dryRun: boolean },
    attempts: number,
  ): BuildAnswer {
    const definition = options.id === undefined ? built.definition : { ...built.definition, id: options.id };
    const path = options.dryRun ? undefined : this.library.write(definition);
    return {
      definition: definition as unknown as Json,
      choices: built.choices,
      attempts,
      ...(path === undefined ? {} : { path }),
      ...(built.schedule ? { schedule: { cron: built.schedule.cron, why: built.schedule.said } } : {}),
    };
  }
}

/** An output, loaded if it was too large for the record; undefined if it is gone. */
async function wholeOutput(output: Json, { parts }: Engine): Promise<Json | undefined> {
  if (!isLargeOutput(output)) return output;
  const bytes = await parts.artifacts.get(asObject(output)['artifact'] as Digest);
  return bytes && (JSON.parse(new TextDecoder().decode(bytes)) as Json);
}

function requireInput({ id, input_schema: schema }: GraphDefinition, input: Json): void {
  if (schema === undefined) return;
  const [first, ...more] = findSchemaIssues(schema, input);
  if (first === undefined) return;
  const rest = more.length === 0 ? '' : ` and ${more.length} more`;
  throw new OkaError(
    'graph.input_invalid',
    `the input does not fit the graph ${id}: ${withoutStop(first.message)}${rest}. Give it with --input.`,
    { data: { issues: [first, ...more] } },
  );
}

/** As many retries per node as the graph asks for, where that is more than the default of a run. */
function retriesIn(compiled: CompiledGraph): BudgetLimits {
  const most = mostRetries(compiled);
  return most > (DEFAULT_LIMITS.node_retries ?? 0) ? { node_retries: most } : {};
}

function mostRetries({ definition, uses }: CompiledGraph): number {
  const { nodes, execution_defaults: defaults } = definition;
  const asked = nodes.map((node) => ('max_retries' in node ? Number(node.max_retries ?? 0) : 0));
  return Math.max(0, defaults.max_retries ?? 0, ...asked, ...[...uses.values()].map(mostRetries));
}
