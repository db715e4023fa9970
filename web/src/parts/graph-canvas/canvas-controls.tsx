import { Panel, useReactFlow, useStore, useViewport } from '@xyflow/react';
import { type ReactNode, useEffect } from 'react';
import { Button } from '../button.tsx';

const FIT = { maxZoom: 1, padding: 0.15 };

/** Zoom and layout, at the top right of the drawing. */
export function CanvasControls({ onTidy }: { readonly onTidy: () => void }): ReactNode {
  const flow = useReactFlow();
  const { zoom } = useViewport();
  const width = useStore((state) => state.width);
  const count = useStore((state) => state.nodes.length);
  // What was added must be visible, and a smaller window shows the whole graph again.
  useEffect(() => {
    if (width > 0 && count > 0) requestAnimationFrame(() => void flow.fitView(FIT));
  }, [flow, width, count]);
  return (
    <Panel position="top-right" className="canvas-controls">
      <Button aria-label="Zoom out" onClick={() => void flow.zoomOut()}>
        −
      </Button>
      <Button
        aria-label={`${Math.round(zoom * 100)} %, fit the graph into the view`}
        onClick={() => void flow.fitView(FIT)}
      >
        {Math.round(zoom * 100)} %
      </Button>
      <Button aria-label="Zoom in" onClick={() => void flow.zoomIn()}>
        +
      </Button>
      <Button
        onClick={() => {
          onTidy();
          // The nodes have their new places after the next frame.
          requestAnimationFrame(() => void flow.fitView(FIT));
        }}
      >
        Tidy
      </Button>
    </Panel>
  );
}
