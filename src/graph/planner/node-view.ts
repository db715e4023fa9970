import type { Evidence, PlanInput, ToolFace } from '../../engine/index.ts';
import { isLargeOutput } from '../../engine/index.ts';
import { type Digest, type Json, type JsonObject, OkaError, renderTemplate } from '../../kernel/index.ts';
import type { GraphNode, GuaranteeMode } from '../types.ts';
import type { RunningGraph } from './running-graph.ts';

type Scope = Record<string, Json>;

/** A node's view of its run: its input, the outputs of other nodes, and the evidence of this visit. */
export class NodeView {
  readonly graph: RunningGraph;
  readonly node: GraphNode;
  readonly plan: PlanInput;
  /** Template paths without a value, rendered as null. */
  readonly warnings: string[] = [];
  readonly #scope: Scope;

  private constructor(graph: RunningGraph, node: GraphNode, plan: PlanInput, scope: Scope) {
    this.graph = graph;
    this.node = node;
    this.plan = plan;
    this.#scope = scope;
  }

  /** `roots` are the names that the node reads. Loads outputs that were too large for the ledger. */
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
    for (const [name, digest] of large) scope[name] = await plan.whole(digest);
    return new NodeView(graph, node, plan, scope);
  }

  get mode(): GuaranteeMode {
    return this.graph.mode;
  }

  /** The node's `input` with its templates filled, else the output of the node before. */
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
          `{{${path}}} in the node "${this.node.node_id}" has no value; strict mode requires one.`,
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

  /** The value of a name: a node's output, `last`, `input` or `vars`. */
  named(name: string): Json | undefined {
    return this.#scope[name];
  }

  get run(): JsonObject {
    return runFacts(this.plan);
  }

  /** The evidence since the node was entered. */
  get happened(): readonly Evidence[] {
    const { evidence, visit } = this.plan;
    return evidence.length === visit.since ? [] : evidence.slice(visit.since);
  }

  tool(name: string): ToolFace | undefined {
    return this.plan.allTools.find((tool) => tool.name === name);
  }

  /** The reason, with a warning about missing values. */
  because(why: string): string {
    if (this.warnings.length === 0) return why;
    const missing = [...new Set(this.warnings)].map((path) => `{{${path}}}`).join(', ');
    return `${why} Warning: ${missing} had no value, so null was used.`;
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
