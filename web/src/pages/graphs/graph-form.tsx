import type { ReactNode } from 'react';
import { TextField } from '../../parts/field.tsx';
import { type GraphDocument, isRecord } from '../../parts/graph-canvas/graph-document.ts';
import { setSetting } from './document/edit-document.ts';
import { fieldsOf } from './document/form-fields.ts';
import { SchemaField } from './schema-field.tsx';
import { SchemaFields } from './schema-fields.tsx';
import type { Diagnostic } from './use-graph-check.ts';

interface GraphFormProps {
  readonly document: GraphDocument;
  readonly schema: unknown;
  readonly diagnostics: readonly Diagnostic[];
  /** A graph that was saved keeps its id: runs and schedules name it. */
  readonly isNew: boolean;
  readonly onEdit: (document: GraphDocument, key?: string) => void;
}

const HIDDEN = ['$schema', 'id', 'nodes', 'execution_defaults', 'state_access'];

/** The fields of the graph itself, shown while no node is selected. */
export function GraphForm({ document, schema, diagnostics, isNew, onEdit }: GraphFormProps): ReactNode {
  const properties = isRecord(schema) ? schema['properties'] : undefined;
  const defaults = isRecord(document['execution_defaults']) ? document['execution_defaults'] : {};
  const fields = fieldsOf(schema, HIDDEN);
  const errorOf = (path: string): string | undefined =>
    diagnostics.find((diagnostic) => diagnostic.path === `$.${path}`)?.message;
  const set = (field: string, value: unknown): void => onEdit(setSetting(document, field, value), field);
  return (
    <div className="graph-form">
      <div>
        <h2>This graph</h2>
        <p className="small muted">Select a node to edit it.</p>
      </div>
      <TextField
        label="Id"
        hint={isNew ? 'The name of the file. It cannot be changed later.' : 'Runs and schedules name it.'}
        error={errorOf('id')}
        value={document.id}
        readOnly={!isNew}
        onChange={(event) => set('id', event.target.value)}
      />
      <SchemaFields
        key={`fields ${fields.length}`}
        fields={fields}
        hasValue={(name) => document[name] !== undefined}
      >
        {(field) => (
          <SchemaField
            key={field.name}
            field={field}
            value={document[field.name]}
            error={errorOf(field.name)}
            onChange={(value) => set(field.name, value)}
          />
        )}
      </SchemaFields>
      <fieldset className="graph-arguments">
        <legend>Defaults of the nodes</legend>
        {fieldsOf(isRecord(properties) ? properties['execution_defaults'] : undefined).map((field) => (
          <SchemaField
            key={field.name}
            field={field}
            value={defaults[field.name]}
            error={errorOf(`execution_defaults.${field.name}`)}
            onChange={(value) => {
              const { [field.name]: _, ...others } = defaults;
              const next = value === undefined ? others : { ...others, [field.name]: value };
              onEdit(setSetting(document, 'execution_defaults', next), `execution_defaults.${field.name}`);
            }}
          />
        ))}
      </fieldset>
    </div>
  );
}
