import type * as z from 'zod';
import type { Decision } from '../engine/index.ts';
import type { Json } from '../kernel/index.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import type { NodeView } from './planner/node-view.ts';
import type { ToolDirectory } from './ports.ts';
import type { Diagnostic, GraphDefinition, GraphNode, GuaranteeMode, NodeTypeName } from './types.ts';

/** Keys and indexes that lead from a node, or from the definition, to one of its fields. */
export type FieldPath = readonly (string | number)[];

/** Another node that a node may go to. */
export interface Target {
  readonly field: FieldPath;
  readonly to: string;
  /** Taken when the node has failed, so that the node has no output there. */
  readonly failed?: true;
}

/** A value of a node in which templates may stand. */
export interface TemplateField {
  readonly field: FieldPath;
  readonly value: Json;
}

/** Another node whose output a node reads outside templates. */
export interface NodeReference {
  readonly field: FieldPath;
  readonly id: string;
}

/** A diagnostic whose path starts at the node; errors unless it says otherwise. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly field: FieldPath;
  readonly message: string;
  readonly suggestion?: string;
  readonly severity?: Diagnostic['severity'];
}

/** The parts of a definition that rules over its nodes read. */
export type GraphSettings = Pick<GraphDefinition, 'execution_defaults' | 'state_access' | 'input_schema'>;

/** What a node's own checks may look at. */
export interface NodeContext {
  readonly mode: GuaranteeMode;
  readonly settings: GraphSettings;
  readonly tools: ToolDirectory;
}

/** All that is known of one type of node. Its functions are only given nodes that fit the schema, and must not throw. */
export interface NodeType<Node extends GraphNode = GraphNode> {
  readonly type: Node['type'] & NodeTypeName;
  /** One sentence for editors and the builder. */
  readonly summary: string;
  /** Unknown keys are refused. */
  readonly schema: z.ZodType<Node>;
  /** Where the node may go, in the order of its fields. */
  targets(node: Node): readonly Target[];
  /** The fields in which templates may stand. */
  templates(node: Node): readonly TemplateField[];
  /** Nodes that it names outside templates; where they have not run, nothing stands in their place. */
  references?(node: Node): readonly NodeReference[];
  /** What can be wrong with the node besides its schema. */
  check?(node: Node, context: NodeContext): readonly Finding[];
  /** The tools that the node may call. */
  tools?(node: Node): readonly string[];
  /** What a run does in the node, each time that it is asked there. Throws OkaErrors for values that are wrong. */
  decide(node: Node, view: NodeView): Decision | Promise<Decision>;
}
