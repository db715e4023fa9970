import type { Digest, EpochMs, Json, JsonObject } from '../kernel/index.ts';

export const GUARANTEE_MODES = ['strict', 'bounded', 'flex'] as const;
export type GuaranteeMode = (typeof GUARANTEE_MODES)[number];

/** Budgets as people write them in a graph; names and meaning are the engine's. */
export type GraphBudgets = Readonly<Record<string, number>>;

/** An automation as people write it. Fields that templates may fill are typed as JSON. */
export interface GraphDefinition {
  readonly $schema?: string;
  readonly id: string;
  readonly name: string;
  readonly version: string | number;
  readonly description?: string;
  readonly start: string;
  /** May be left out in a file; the compiled definition always has it. */
  readonly execution_defaults: {
    readonly guarantee_mode: GuaranteeMode;
    readonly timeout_seconds?: number;
    readonly max_retries?: number;
    readonly budgets?: GraphBudgets;
  };
  readonly state_access?: { readonly default_enabled: boolean };
  readonly max_steps?: number;
  readonly input_schema?: JsonObject;
  readonly nodes: readonly GraphNode[];
}

interface NodeBase<Type extends string> {
  readonly node_id: string;
  readonly type: Type;
  readonly description?: string;
  /** Replaces `last` as this node's input. */
  readonly input?: Json;
}

interface Followed {
  readonly next: string;
}

/** Nodes that can fail. */
interface Attempted {
  readonly timeout_seconds?: number;
  readonly max_retries?: number;
  /** The node to go to when all attempts have failed; the failed node has no output there. Not in strict mode. */
  readonly on_error?: string;
  /** The output to continue with when all attempts have failed; only in flex mode. */
  readonly fallback_output?: Json;
}

export type StartNode = NodeBase<'start'> & Followed;
export type EndNode = NodeBase<'end'>;

export interface ToolNode extends NodeBase<'tool'>, Followed, Attempted {
  readonly tool: string;
  readonly args?: Json;
  readonly idempotency_key?: string;
}

export interface AiTemplateNode extends NodeBase<'ai_template'>, Followed, Attempted {
  readonly prompt_template: string;
  readonly system_prompt?: string;
  readonly output_format: 'text' | 'json';
  readonly output_schema?: JsonObject;
  readonly model?: string;
  readonly idempotency_key?: string;
}

export const OPERATORS = [
  'eq',
  'ne',
  'gt',
  'gte',
  'lt',
  'lte',
  'in',
  'not_in',
  'contains',
  'starts_with',
  'ends_with',
  'matches',
  'exists',
  'empty',
] as const;
export type Operator = (typeof OPERATORS)[number];

export interface TypedConditionNode extends NodeBase<'typed_condition'> {
  readonly left: Json;
  readonly operator: Operator;
  /** Not for `exists` and `empty`. */
  readonly right?: Json;
  readonly if_true: string;
  readonly if_false: string;
}

export interface LlmConditionNode extends NodeBase<'llm_condition'>, Omit<Attempted, 'fallback_output'> {
  readonly prompt: string;
  readonly branch_options: readonly string[];
  readonly branch_targets: Readonly<Record<string, string>>;
  /** The option that is taken when the answer is none of them; not in strict mode. */
  readonly default?: string;
  readonly model?: string;
}

export interface TransformNode extends NodeBase<'transform'>, Followed {
  /** JSONata, over the node's input; node outputs, vars and run are bound as $nodes, $vars, $run. */
  readonly expression: string;
}

export interface ReadStateNode extends NodeBase<'read_state'>, Followed {
  readonly key: string;
  readonly default?: Json;
}

export interface WriteStateNode extends NodeBase<'write_state'>, Followed {
  readonly key: string;
  readonly value?: Json;
}

export interface ReadPriorRunsNode extends NodeBase<'read_prior_runs'>, Followed {
  readonly limit?: number;
  readonly status?: string;
}

export interface ApprovalNode extends NodeBase<'approval'>, Followed {
  readonly question: string;
  readonly options?: readonly string[];
  readonly expires_seconds?: number;
}

export interface WaitNode extends NodeBase<'wait'>, Followed {
  readonly seconds?: number | string;
  readonly until?: string;
  readonly event?: string;
  readonly timeout_seconds?: number;
  readonly on_error?: string;
}

export interface MapNode extends NodeBase<'map'>, Followed {
  readonly items: Json;
  readonly graph: string;
  readonly concurrency?: number;
  readonly on_error?: 'fail' | 'skip' | 'collect';
  /** The maximum number of items; a map without it is unbounded. */
  readonly max_items?: number;
}

export interface SubgraphNode extends NodeBase<'subgraph'>, Followed {
  readonly graph: string;
  readonly on_error?: string;
}

export interface AgentNode extends NodeBase<'agent'>, Followed, Attempted {
  readonly goal: string;
  readonly agent?: string;
  readonly budgets?: GraphBudgets;
}

export type GraphNode =
  | StartNode
  | EndNode
  | ToolNode
  | AiTemplateNode
  | TypedConditionNode
  | LlmConditionNode
  | TransformNode
  | ReadStateNode
  | WriteStateNode
  | ReadPriorRunsNode
  | ApprovalNode
  | WaitNode
  | MapNode
  | SubgraphNode
  | AgentNode;

export type NodeTypeName = GraphNode['type'];

/** One finding of the compiler. */
export interface Diagnostic {
  /** Stable, such as `graph.unknown_target`. */
  readonly code: string;
  /** Where, as a JSON path: `$.nodes[3].next`. */
  readonly path: string;
  readonly message: string;
  readonly suggestion?: string;
  readonly severity: 'error' | 'warning';
  /** Where in the text, both from 1; only for problems of the text itself. */
  readonly line?: number;
  readonly column?: number;
}

/** An automation that passed every check in one mode. */
export interface CompiledGraph {
  readonly definition: GraphDefinition;
  readonly mode: GuaranteeMode;
  /** Digest of the definition, the mode and the hashes of the used graphs. Runs are pinned to it. */
  readonly hash: Digest;
  readonly nodes: ReadonlyMap<string, GraphNode>;
  readonly maxSteps: number;
  /** The compiled graphs that map and subgraph nodes name, by the name they use. */
  readonly uses: ReadonlyMap<string, CompiledGraph>;
}

export type NodeStatus = 'waiting' | 'running' | 'completed' | 'failed' | 'skipped';

/** The status of each node in a run, for pictures. */
export interface RunStatuses {
  readonly run: string;
  readonly status: string;
  readonly nodes: ReadonlyMap<
    string,
    { readonly status: NodeStatus; readonly visits: number; readonly at?: EpochMs }
  >;
}
