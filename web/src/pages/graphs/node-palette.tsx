import type { ReactNode } from 'react';
import { kindOf, type NodeGroup } from '../../parts/graph-canvas/node-kinds.ts';

interface NodePaletteProps {
  readonly types: readonly { readonly type: string; readonly summary: string }[];
  /** The node after which a new one comes. */
  readonly after: string | undefined;
  readonly onAdd: (type: string) => void;
}

const GROUPS: readonly NodeGroup[] = ['Act', 'Decide', 'Data', 'Compose', 'Flow'];

/** The types of nodes. A press adds one after the selected node. */
export function NodePalette({ types, after, onAdd }: NodePaletteProps): ReactNode {
  return (
    <aside className="graph-palette" aria-label="Add a node">
      <p className="small muted graph-palette-hint">
        {after === undefined
          ? 'Adds an unconnected node. Select a node to add after it.'
          : `Adds after ${after}.`}
      </p>
      {GROUPS.map((group) => (
        <div key={group} className="graph-palette-group">
          <h2>{group}</h2>
          {types
            .filter(({ type }) => kindOf(type).group === group && type !== 'start')
            .map(({ type, summary }) => (
              <button
                key={type}
                type="button"
                className="graph-palette-item"
                title={summary}
                onClick={() => onAdd(type)}
              >
                <i className={`canvas-kind canvas-kind-${kindOf(type).tone}`} />
                {kindOf(type).label}
              </button>
            ))}
        </div>
      ))}
    </aside>
  );
}
