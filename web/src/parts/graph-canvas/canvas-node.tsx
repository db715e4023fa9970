import { Handle, type Node, type NodeProps, Position } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { StatusMark } from '../status-mark.tsx';
import type { GraphNode, Port } from './graph-document.ts';
import { kindOf, nodeSummary } from './node-kinds.ts';

type NodeState = 'idle' | 'running' | 'done' | 'failed' | 'skipped' | 'waiting';

/** What a run did in a node. */
export interface NodeRun {
  readonly state: NodeState;
  /** Shown instead of the word for the state, such as `4 ms` or `true`. */
  readonly note?: string;
}

export interface NodeProblems {
  readonly errors: number;
  readonly warnings: number;
}

export interface CanvasNodeData extends Record<string, unknown> {
  readonly node: GraphNode;
  readonly run?: NodeRun;
  readonly problems?: NodeProblems;
  readonly editable: boolean;
  /** The ways out from left to right, so that edges do not cross. */
  readonly ports: readonly Port[];
}

export type CanvasNode = Node<CanvasNodeData, 'graph'>;

const MARKS: Readonly<Record<Exclude<NodeState, 'idle'>, readonly [status: string, word: string]>> = {
  running: ['running', 'Running'],
  done: ['completed', 'Done'],
  failed: ['failed', 'Failed'],
  skipped: ['cancelled', 'Skipped'],
  waiting: ['waiting', 'Waiting'],
};

export const CanvasNodeView = memo(function CanvasNodeView({
  data,
  selected,
}: NodeProps<CanvasNode>): ReactNode {
  const { node, run, problems, editable, ports } = data;
  const isWrong = (problems?.errors ?? 0) > 0;
  const state = run?.state ?? 'idle';
  return (
    <div
      className={`canvas-node canvas-node-${state} ${selected ? 'canvas-node-selected' : ''} ${isWrong ? 'canvas-node-wrong' : ''}`}
    >
      {node.type !== 'start' && <Handle type="target" position={Position.Top} isConnectable={editable} />}
      <div className="canvas-node-head">
        <i className={`canvas-kind canvas-kind-${kindOf(node.type).tone}`} />
        <b className="ellipsis">{node.node_id}</b>
        <NodeMark run={run} problems={problems} />
      </div>
      <div className="canvas-node-body ellipsis">{nodeSummary(node) || kindOf(node.type).label}</div>
      {ports.map(({ field, label }, index) => (
        <Handle
          key={field}
          id={field}
          type="source"
          position={Position.Bottom}
          isConnectable={editable}
          title={editable ? `Drag to the node for: ${label ?? 'next'}` : undefined}
          style={{ left: `${((index + 1) * 100) / (ports.length + 1)}%` }}
        />
      ))}
    </div>
  );
});

interface MarkProps {
  readonly run: NodeRun | undefined;
  readonly problems: NodeProblems | undefined;
}

function NodeMark({ run, problems = { errors: 0, warnings: 0 } }: MarkProps): ReactNode {
  if (problems.errors > 0) return <StatusMark status="error" look="plain" label={String(problems.errors)} />;
  if (run !== undefined && run.state !== 'idle') {
    const [status, word] = MARKS[run.state];
    return <StatusMark status={status} look="plain" label={run.note ?? word} />;
  }
  if (problems.warnings > 0)
    return <StatusMark status="warning" look="plain" label={String(problems.warnings)} />;
  return null;
}

/** What a screen reader says of a node. */
export function nodeLabel({ node, run, problems }: CanvasNodeData): string {
  const parts = [`${kindOf(node.type).label} ${node.node_id}`];
  if (run !== undefined && run.state !== 'idle') parts.push(MARKS[run.state][1].toLowerCase());
  if (problems !== undefined && problems.errors > 0) parts.push(`${problems.errors} errors`);
  if (problems !== undefined && problems.warnings > 0) parts.push(`${problems.warnings} warnings`);
  return parts.join(', ');
}
