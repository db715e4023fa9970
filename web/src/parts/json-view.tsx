import type { ReactNode } from 'react';
import { marked } from '../../../src/api/foreign-text.ts';

interface JsonViewProps {
  readonly value: unknown;
  /** Levels that are open at first. */
  readonly open?: number;
}

/** A JSON value. Objects and lists open and close. */
export function JsonView({ value, open = 1 }: JsonViewProps): ReactNode {
  return (
    <div className="json">
      <Value value={value} open={open} />
    </div>
  );
}

function Value({ value, open }: { readonly value: unknown; readonly open: number }): ReactNode {
  if (typeof value === 'string') return <span className="json-text">{marked(JSON.stringify(value))}</span>;
  if (typeof value !== 'object' || value === null)
    return <span className="json-literal">{String(value)}</span>;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (entries.length === 0) return <span>{isList ? '[]' : '{}'}</span>;
  return (
    <details open={open > 0}>
      <summary>{isList ? `[ ${entries.length} ]` : `{ ${entries.length} }`}</summary>
      <ul>
        {entries.map(([key, item]) => (
          <li key={key}>
            <span className="json-key">{marked(key)}</span>: <Value value={item} open={open - 1} />
          </li>
        ))}
      </ul>
    </details>
  );
}
