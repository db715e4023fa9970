import { type ReactNode, useState } from 'react';
import { Checkbox, SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { type FormField, fieldLabel, readValue, showValue } from './document/form-fields.ts';

interface SchemaFieldProps {
  readonly field: FormField;
  readonly value: unknown;
  /** `undefined` removes the field. */
  readonly onChange: (value: unknown) => void;
  readonly error?: string | undefined;
  /** Names to complete. */
  readonly suggestions?: readonly string[];
}

/** One field of a form that is made from a JSON Schema. */
export function SchemaField(props: SchemaFieldProps): ReactNode {
  const { field, value, onChange, error } = props;
  const label = `${fieldLabel(field.name)}${field.isRequired ? '' : ' (optional)'}`;
  const texts = { label, hint: field.hint, error };
  switch (field.kind) {
    case 'choice':
      return (
        <SelectField
          {...texts}
          value={typeof value === 'string' ? value : ''}
          options={['', ...(field.options ?? [])].map((option) => ({ value: option, label: option || '–' }))}
          onChange={(event) => onChange(event.target.value || undefined)}
        />
      );
    case 'switch':
      return (
        <Checkbox
          label={label}
          checked={value === true}
          onChange={(event) => onChange(event.target.checked ? true : field.isRequired ? false : undefined)}
        />
      );
    case 'line':
    case 'text':
      return typeof value === 'string' || value === undefined ? (
        <TextInput {...props} label={label} />
      ) : (
        <JsonField {...props} label={label} />
      );
    case 'lines':
      return (
        <TextArea
          {...texts}
          hint={`${field.hint ?? ''} One per line.`.trim()}
          value={Array.isArray(value) ? value.join('\n') : ''}
          onChange={(event) => onChange(linesOf(event.target.value))}
        />
      );
    default:
      return <JsonField {...props} label={label} />;
  }
}

const linesOf = (text: string): readonly string[] | undefined => (text === '' ? undefined : text.split('\n'));

interface LabelledProps extends SchemaFieldProps {
  readonly label: string;
}

function TextInput({ field, label, value, onChange, error, suggestions }: LabelledProps): ReactNode {
  const shared = {
    ...{ label, hint: field.hint, error, value: typeof value === 'string' ? value : '' },
    onChange: (event: { target: { value: string } }) =>
      onChange(event.target.value === '' && !field.isRequired ? undefined : event.target.value),
  };
  if (field.kind === 'text') return <TextArea {...shared} />;
  const list = suggestions === undefined ? undefined : `suggestions-${field.name}`;
  return (
    <>
      <TextField {...shared} list={list} />
      {suggestions !== undefined && (
        <datalist id={list}>
          {suggestions.map((name) => (
            <option key={name} value={name} />
          ))}
        </datalist>
      )}
    </>
  );
}

/** Any JSON value. Text needs no quotes, except where only an object fits. */
function JsonField({ field, label, value, onChange, error }: LabelledProps): ReactNode {
  const [draft, setDraft] = useState<string>();
  const shown = showValue(value);
  // The draft is what was typed, as long as the value is still what it says.
  const text = draft !== undefined && sameValue(readValue(draft), value) ? draft : shown;
  const [broken, setBroken] = useState<string>();
  const change = (next: string): void => {
    const read = readValue(next);
    if (field.kind === 'json' && typeof read === 'string') {
      setBroken(next);
      return;
    }
    setBroken(undefined);
    setDraft(next);
    onChange(read);
  };
  const shownText = broken ?? text;
  return (
    <TextArea
      label={label}
      hint={field.hint}
      error={broken === undefined ? error : 'This is not JSON yet. The graph keeps the last value.'}
      className="input mono"
      rows={Math.min(8, Math.max(1, shownText.split('\n').length))}
      value={shownText}
      onChange={(event) => change(event.target.value)}
    />
  );
}

const sameValue = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other);
