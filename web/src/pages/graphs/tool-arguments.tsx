import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import { isRecord } from '../../parts/graph-canvas/graph-document.ts';
import { type FormField, fieldsOf } from './document/form-fields.ts';
import { SchemaField } from './schema-field.tsx';
import { SchemaFields } from './schema-fields.tsx';

interface ToolArgumentsProps {
  readonly tool: unknown;
  readonly field: FormField;
  readonly value: unknown;
  readonly error: string | undefined;
  readonly onChange: (value: unknown) => void;
}

/** The arguments of a tool, from the schema of the tool. Every value may be a template, such as {{input.path}}. */
export function ToolArguments({ tool, field, value, error, onChange }: ToolArgumentsProps): ReactNode {
  const name = typeof tool === 'string' ? tool : '';
  const isKnown = useApi('/v1/tools').data?.some((known) => known.name === name) === true;
  const query = useApi('/v1/tools/{name}', { params: { path: { name } } }, { enabled: isKnown });
  const schema = query.data?.input;
  const isObject = value === undefined || isRecord(value);
  if (!isKnown || !isObject || !isRecord(schema) || !isRecord(schema['properties']))
    return <SchemaField field={field} value={value} error={error} onChange={onChange} />;
  const set = (argument: string, next: unknown): void => {
    const { [argument]: _, ...others } = isRecord(value) ? value : {};
    const args = next === undefined ? others : { ...others, [argument]: next };
    onChange(Object.keys(args).length === 0 ? undefined : args);
  };
  return (
    <fieldset className="graph-arguments">
      <legend>Arguments</legend>
      <SchemaFields
        key={name}
        fields={fieldsOf(schema)}
        hasValue={(given) => isRecord(value) && value[given] !== undefined}
      >
        {(argument) => (
          <SchemaField
            key={argument.name}
            // A template is text, whatever the argument is.
            field={
              argument.kind === 'switch' || argument.kind === 'json'
                ? { ...argument, kind: 'value' }
                : argument
            }
            value={isRecord(value) ? value[argument.name] : undefined}
            onChange={(next) => set(argument.name, next)}
          />
        )}
      </SchemaFields>
      {error !== undefined && <span className="field-error">{error}</span>}
    </fieldset>
  );
}
