export { buildGraph } from './build/build-graph.ts';
export { builderKind } from './build/builder-kind.ts';
export { promoteRun, type TracedAction } from './build/promote-run.ts';
export type { BuildErrorCode, BuildOptions, BuildTool, BuiltGraph } from './build/types.ts';
export { compileGraph } from './compile-graph.ts';
export { DIAGNOSTIC_CODES, type DiagnosticCode } from './diagnostic-codes.ts';
export { diffDefinitions, type GraphDiff, graphDiff } from './diff-definitions.ts';
export type { GraphErrorCode } from './errors.ts';
export { evaluateCondition } from './evaluate-condition.ts';
export { evaluateExpression } from './evaluate-expression.ts';
export { graphJsonSchema } from './graph-schema.ts';
export { findSchemaIssues } from './json-schema.ts';
export type {
  FieldPath,
  Finding,
  NodeContext,
  NodeReference,
  NodeType,
  Target,
  TemplateField,
} from './node-type.ts';
export { NODE_TYPE_NAMES, NODE_TYPES, nodeTypeOf } from './node-types.ts';
export { type ParsedGraphText, parseGraphText } from './parse-graph-text.ts';
export { patchGraph } from './patch-graph.ts';
export { graphKind, graphPlanner } from './planner/graph-planner.ts';
export { type RunningGraph, runningGraph } from './planner/running-graph.ts';
export { toStateGraph } from './planner/to-state-graph.ts';
export type {
  CompileOptions,
  CompileResult,
  GraphDirectory,
  ToolDirectory,
  ToolEntry,
} from './ports.ts';
export { type QuickFix, quickFixOf } from './quick-fix.ts';
export { type AsciiOptions, renderAscii } from './render/render-ascii.ts';
export { renderDot } from './render/render-dot.ts';
export { renderMermaid } from './render/render-mermaid.ts';
export { renderSvg } from './render/render-svg.ts';
export type { RenderErrorCode } from './render/types.ts';
export type { SchemaIssue } from './schema-issues.ts';
export {
  graphStateProjection,
  graphStateStream,
  type StateValue,
  stateWritten,
  toStateValue,
} from './state/graph-state-projection.ts';
export { type GraphStateStore, MemoryGraphStateStore } from './state/graph-state-store.ts';
export {
  type AgentNode,
  type AiTemplateNode,
  type ApprovalNode,
  type CompiledGraph,
  type Diagnostic,
  type EndNode,
  type GraphBudgets,
  type GraphDefinition,
  type GraphNode,
  GUARANTEE_MODES,
  type GuaranteeMode,
  type LlmConditionNode,
  type MapNode,
  type NodeStatus,
  type NodeTypeName,
  OPERATORS,
  type Operator,
  type ReadPriorRunsNode,
  type ReadStateNode,
  type RunStatuses,
  type StartNode,
  type SubgraphNode,
  type ToolNode,
  type TransformNode,
  type TypedConditionNode,
  type WaitNode,
  type WriteStateNode,
} from './types.ts';
