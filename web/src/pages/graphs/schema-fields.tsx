import { type ReactNode, useState } from 'react';
import type { FormField } from './document/form-fields.ts';

interface SchemaFieldsProps {
  readonly fields: readonly FormField[];
  /** Whether the field is filled in. */
  readonly hasValue: (name: string) => boolean;
  readonly children: (field: FormField) => ReactNode;
}

/** The fields of a form. Optional ones that are empty when the form opens are folded. */
export function SchemaFields({ fields, hasValue, children }: SchemaFieldsProps): ReactNode {
  // Decided once: a field must not move while a person types into it.
  const [folded] = useState(
    () =>
      new Set(
        fields.filter(({ name, isRequired }) => !isRequired && !hasValue(name)).map(({ name }) => name),
      ),
  );
  const rest = fields.filter(({ name }) => folded.has(name));
  return (
    <>
      {fields.filter(({ name }) => !folded.has(name)).map(children)}
      {rest.length > 0 && (
        <details className="graph-more">
          <summary>More fields</summary>
          <div>{rest.map(children)}</div>
        </details>
      )}
    </>
  );
}
