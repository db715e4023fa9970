import { BaseEdge, type Edge, EdgeLabelRenderer, type EdgeProps } from '@xyflow/react';
import { memo, type ReactNode } from 'react';
import { edgePath } from './edge-path.ts';
import type { Position } from './layout.ts';

interface CanvasEdgeData extends Record<string, unknown> {
  /** Points between the two nodes, so that the edge passes others. */
  readonly route: readonly Position[];
}

export type CanvasEdge = Edge<CanvasEdgeData, 'graph'>;

export const CanvasEdgeView = memo(function CanvasEdgeView({
  sourceX,
  sourceY,
  targetX,
  targetY,
  data,
  label,
  markerEnd,
}: EdgeProps<CanvasEdge>): ReactNode {
  const points = [{ x: sourceX, y: sourceY }, ...(data?.route ?? []), { x: targetX, y: targetY }];
  const [, next] = points;
  const middle = { x: (sourceX + (next?.x ?? 0)) / 2, y: (sourceY + (next?.y ?? 0)) / 2 };
  return (
    <>
      <BaseEdge path={edgePath(points)} {...(markerEnd !== undefined && { markerEnd })} />
      {label !== undefined && (
        <EdgeLabelRenderer>
          <span
            className="canvas-edge-label"
            // The name of the edge says it already.
            aria-hidden="true"
            style={{ transform: `translate(-50%, -50%) translate(${middle.x}px, ${middle.y}px)` }}
          >
            {label}
          </span>
        </EdgeLabelRenderer>
      )}
    </>
  );
});
