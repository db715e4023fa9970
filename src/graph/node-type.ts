import type * as z from 'zod';
import type { Decision } from '../engine/index.ts';
import type { Json } from '../kernel/index.ts';
import type { DiagnosticCode } from './diagnostic-codes.ts';
import type { NodeView } from './planner/node-view.ts';
import type { ToolDirectory } from './ports.ts';
import type { Diagnostic, GraphDefinition, GraphNode, GuaranteeMode, NodeTypeName } from './types.ts';

/** Keys and indexes from a node, or from the definition, to one of its fields. */
export type FieldPath = readonly (string | number)[];

/** Another node that a node may go to. */
export interface Target {
  readonly field: FieldPath;
  readonly to: string;
  /** Taken when the node has failed; the node has no output then. */
  readonly failed?: true;
}

/** A value of a node that may contain templates. */
export interface TemplateField {
  readonly field: FieldPath;
  readonly value: Json;
}

/** Another node whose output a node reads outside templates. */
export interface NodeReference {
  readonly field: FieldPath;
  readonly id: string;
}

/** A diagnostic whose path starts at the node; an error by default. */
export interface Finding {
  readonly code: DiagnosticCode;
  readonly field: FieldPath;
  readonly message: string;
  readonly suggestion?: string;
  readonly severity?: Diagnostic['severity'];
}

/** The parts of a definition that node checks read. */
export type GraphSettings = Pick<GraphDefinition, 'execution_defaults' | 'state_access' | 'input_schema'>;

export interface NodeContext {
  readonly mode: GuaranteeMode;
  readonly settings: GraphSettings;
  readonly tools: ToolDirectory;
}

/** A type of node. Its functions only get nodes that fit the schema, and must not throw. */
export interface NodeType<Node extends GraphNode = GraphNode> {
  readonly type: Node['type'] & NodeTypeName;
  /** One sentence for editors and the builder. */
  readonly summary: string;
  /** Unknown keys are refused. */
  readonly schema: z.ZodType<Node>;
  /** The possible next nodes, in the order of the fields. */
  targets(node: Node): readonly Target[];
  /** The fields that may contain templates. */
  templates(node: Node): readonly TemplateField[];
  /** Nodes that it names outside templates; a node that has not run has no value. */
  references?(node: Node): readonly NodeReference[];
  /** Checks beyond the schema. */
  check?(node: Node, context: NodeContext): readonly Finding[];
  /** The tools that the node may call. */
  tools?(node: Node): readonly string[];
  /** The next decision of a run in the node. Throws an OkaError for wrong values. */
  decide(node: Node, view: NodeView): Decision | Promise<Decision>;
}
