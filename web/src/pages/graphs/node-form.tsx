import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { type GraphDocument, type GraphNode, portsOf } from '../../parts/graph-canvas/graph-document.ts';
import { kindOf } from '../../parts/graph-canvas/node-kinds.ts';
import { removeNodes, renameNode, setField } from './document/edit-document.ts';
import { fieldsOf, nodeSchemaOf } from './document/form-fields.ts';
import { NodeIdField } from './node-id-field.tsx';
import { PortFields } from './port-fields.tsx';
import { SchemaField } from './schema-field.tsx';
import { SchemaFields } from './schema-fields.tsx';
import { ToolArguments } from './tool-arguments.tsx';
import type { Diagnostic } from './use-graph-check.ts';

interface NodeFormProps {
  readonly document: GraphDocument;
  readonly node: GraphNode;
  readonly schema: unknown;
  readonly diagnostics: readonly Diagnostic[];
  readonly onEdit: (document: GraphDocument, key?: string) => void;
  readonly onSelect: (node: string | undefined) => void;
}

/** The fields of one node, from the schema of its type. */
export function NodeForm({
  document,
  node,
  schema,
  diagnostics,
  onEdit,
  onSelect,
}: NodeFormProps): ReactNode {
  const id = node.node_id;
  const tools = useApi('/v1/tools', undefined, { enabled: node.type === 'tool' });
  const nodeSchema = nodeSchemaOf(schema, node.type);
  const ports = portsOf(node).map(({ field }) => field.split('.')[0] as string);
  const fields = fieldsOf(nodeSchema, ['node_id', 'type', 'branch_targets', ...ports]);
  const place = `$.nodes[${document.nodes.indexOf(node)}].`;
  const errorOf = (field: string): string | undefined =>
    diagnostics.find(({ path }) => path === place + field || path.startsWith(`${place}${field}.`))?.message;
  const set = (field: string, value: unknown): void =>
    onEdit(setField(document, id, field, value), `${id}.${field}`);
  return (
    <div className="graph-form">
      <div>
        <h2>{id}</h2>
        <p className="small muted">{`${kindOf(node.type).label} · ${String(nodeSchema?.['description'] ?? '')}`}</p>
      </div>
      <NodeIdField
        key={id}
        document={document}
        id={id}
        onRename={(to) => {
          onEdit(renameNode(document, id, to));
          onSelect(to);
        }}
      />
      <SchemaFields
        key={`fields ${fields.length}`}
        fields={fields}
        hasValue={(name) => name === 'args' || node[name] !== undefined}
      >
        {(field) =>
          field.name === 'args' ? (
            <ToolArguments
              key={field.name}
              tool={node['tool']}
              field={field}
              value={node['args']}
              error={errorOf('args')}
              onChange={(value) => set('args', value)}
            />
          ) : (
            <SchemaField
              key={field.name}
              field={field}
              value={node[field.name]}
              error={errorOf(field.name)}
              {...(field.name === 'tool' && { suggestions: tools.data?.map(({ name }) => name) ?? [] })}
              onChange={(value) => set(field.name, value)}
            />
          )
        }
      </SchemaFields>
      <PortFields document={document} node={node} onEdit={onEdit} />
      <Button
        look="danger"
        onClick={() => {
          onEdit(removeNodes(document, [id]));
          onSelect(undefined);
        }}
      >
        Delete the node
      </Button>
    </div>
  );
}
