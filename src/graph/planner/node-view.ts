import type { Evidence, PlanInput, ToolFace } from '../../engine/index.ts';
import { isLargeOutput } from '../../engine/index.ts';
import { type Digest, type Json, type JsonObject, OkaError, renderTemplate } from '../../kernel/index.ts';
import type { GraphNode, GuaranteeMode } from '../types.ts';
import type { RunningGraph } from './running-graph.ts';

type Scope = Record<string, Json>;

/** What a node sees of its run: its input, the outputs of others, and what has happened during this visit. */
export class NodeView {
  readonly graph: RunningGraph;
  readonly node: GraphNode;
  readonly plan: PlanInput;
  /** What was missing where a template looked for it and became null. */
  readonly warnings: string[] = [];
  readonly #scope: Scope;

  private constructor(graph: RunningGraph, node: GraphNode, plan: PlanInput, scope: Scope) {
    this.graph = graph;
    this.node = node;
    this.plan = plan;
    this.#scope = scope;
  }

  /** `roots` are the names that the node may look up. Outputs that were too large for the ledger are fetched. */
  static async of(
    graph: RunningGraph,
    node: GraphNode,
    plan: PlanInput,
    roots: ReadonlySet<string>,
  ): Promise<NodeView> {
    const scope: Scope = {};
    const large: [string, Digest][] = [];
    const put = (name: string, value: Json | undefined): void => {
      if (value === undefined) return;
      scope[name] = value;
      if (isLargeOutput(value)) large.push([name, (value as { artifact: Digest }).artifact]);
    };
    for (const name of roots) if (graph.has(name)) put(name, outputOf(plan, plan.latest[name]));
    put('last', outputOf(plan, plan.visit.last) ?? null);
    put('input', runInput(plan));
    if (roots.has('vars')) scope['vars'] = plan.vars;
    if (roots.has('run')) scope['run'] = runFacts(plan);
    if (large.length > 0) await fetchLarge(plan, scope, large);
    return new NodeView(graph, node, plan, scope);
  }

  get mode(): GuaranteeMode {
    return this.graph.mode;
  }

  /** What the node works on: its `input` filled in, else what came before it. */
  get input(): Json {
    return this.node.input === undefined ? (this.#scope['last'] ?? null) : this.render(this.node.input);
  }

  /** Fills the templates of a value. In strict mode nothing may be missing. */
  render(value: Json): Json {
    if (this.graph.isConstant(value)) return value;
    return renderTemplate(value, this.#scope, (path) => {
      if (this.mode === 'strict') {
        throw new OkaError(
          'graph.missing_value',
          `nothing stands at {{${path}}} in the node "${this.node.node_id}"; strict mode does not go on without it.`,
          { data: { node: this.node.node_id, path } },
        );
      }
      this.warnings.push(path);
      return null;
    });
  }

  renderText(value: string): string {
    const text = this.render(value);
    return typeof text === 'string' ? text : JSON.stringify(text);
  }

  /** The value under a name: a node's output, `last`, `input` or `vars`. */
  named(name: string): Json | undefined {
    return this.#scope[name];
  }

  /** What the node may know of the run itself. */
  get run(): JsonObject {
    return runFacts(this.plan);
  }

  /** What has happened since the node was entered. */
  get happened(): readonly Evidence[] {
    const { evidence, visit } = this.plan;
    return evidence.length === visit.since ? [] : evidence.slice(visit.since);
  }

  tool(name: string): ToolFace | undefined {
    return this.plan.allTools.find((tool) => tool.name === name);
  }

  /** Why, with what was missing put on record. */
  because(why: string): string {
    if (this.warnings.length === 0) return why;
    const missing = [...new Set(this.warnings)].map((path) => `{{${path}}}`).join(', ');
    return `${why} Warning: nothing stood at ${missing}, so null was taken.`;
  }
}

function outputOf(plan: PlanInput, place: number | undefined): Json | undefined {
  if (place === undefined) return undefined;
  return place < 0 ? runInput(plan) : plan.evidence[place]?.output;
}

function runFacts({ run, visit, vars }: PlanInput): JsonObject {
  return { id: run.id, origin_id: run.origin, visit: visit.count, firing_id: vars['firing_id'] ?? null };
}

function runInput(plan: PlanInput): Json {
  return plan.vars['input'] ?? null;
}

async function fetchLarge(
  plan: PlanInput,
  scope: Scope,
  large: readonly (readonly [string, Digest])[],
): Promise<void> {
  for (const [name, digest] of large) scope[name] = await plan.whole(digest);
}
