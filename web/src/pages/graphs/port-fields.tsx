import type { ReactNode } from 'react';
import { SelectField } from '../../parts/field.tsx';
import {
  type GraphDocument,
  type GraphNode,
  portsOf,
  targetOf,
} from '../../parts/graph-canvas/graph-document.ts';
import { connect, disconnect } from './document/edit-document.ts';

interface PortFieldsProps {
  readonly document: GraphDocument;
  readonly node: GraphNode;
  readonly onEdit: (document: GraphDocument) => void;
}

/** Where a node goes: one choice for each way out. The same as dragging an edge. */
export function PortFields({ document, node, onEdit }: PortFieldsProps): ReactNode {
  const ids = document.nodes.filter(({ type }) => type !== 'start').map(({ node_id }) => node_id);
  return portsOf(node).map(({ field, label }) => {
    const to = targetOf(node, field);
    // A target that does not exist stays visible, so that it can be corrected.
    const options = to === undefined || ids.includes(to) ? ids : [...ids, to];
    return (
      <SelectField
        key={field}
        label={label === undefined ? 'Goes to' : `Goes to, ${label}`}
        value={to ?? ''}
        options={[
          { value: '', label: 'Nowhere' },
          ...options.map((id) => ({ value: id, label: ids.includes(id) ? id : `${id} (missing)` })),
        ]}
        onChange={({ target: { value } }) =>
          onEdit(
            value === ''
              ? disconnect(document, node.node_id, field)
              : connect(document, node.node_id, field, value),
          )
        }
      />
    );
  });
}
