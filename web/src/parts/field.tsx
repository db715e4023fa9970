import {
  type InputHTMLAttributes,
  type ReactNode,
  type SelectHTMLAttributes,
  type TextareaHTMLAttributes,
  useId,
} from 'react';

interface FieldTexts {
  readonly label: string;
  readonly hint?: ReactNode;
  /** What is wrong with the value. */
  readonly error?: string | undefined;
}

interface Described {
  readonly id: string;
  readonly className: string;
  readonly 'aria-describedby'?: string;
  readonly 'aria-invalid'?: true;
}

/** A label above a control, with a hint or an error below. */
function Field({
  label,
  hint,
  error,
  children,
}: FieldTexts & { readonly children: (props: Described) => ReactNode }): ReactNode {
  const id = useId();
  const below = `${id}-below`;
  const hasBelow = error !== undefined || hint !== undefined;
  return (
    <div className="field">
      <label htmlFor={id}>{label}</label>
      {children({
        id,
        className: 'input',
        ...(hasBelow && { 'aria-describedby': below }),
        ...(error !== undefined && { 'aria-invalid': true }),
      })}
      {hasBelow && (
        <span id={below} className={error === undefined ? 'field-hint' : 'field-error'}>
          {error ?? hint}
        </span>
      )}
    </div>
  );
}

export function TextField({
  label,
  hint,
  error,
  ...rest
}: FieldTexts & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => <input autoComplete="off" {...rest} {...described} />}
    </Field>
  );
}

export function TextArea({
  label,
  hint,
  error,
  ...rest
}: FieldTexts & TextareaHTMLAttributes<HTMLTextAreaElement>): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => <textarea rows={3} {...rest} {...described} />}
    </Field>
  );
}

interface SelectFieldProps extends FieldTexts, SelectHTMLAttributes<HTMLSelectElement> {
  readonly options: readonly { readonly value: string; readonly label: string }[];
}

export function SelectField({ label, hint, error, options, ...rest }: SelectFieldProps): ReactNode {
  return (
    <Field label={label} hint={hint} error={error}>
      {(described) => (
        <select {...rest} {...described}>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export function Checkbox({
  label,
  ...rest
}: { readonly label: ReactNode } & InputHTMLAttributes<HTMLInputElement>): ReactNode {
  return (
    <label className="checkbox">
      <input type="checkbox" {...rest} />
      {label}
    </label>
  );
}
