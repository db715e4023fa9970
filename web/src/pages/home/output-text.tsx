import type { ReactNode } from 'react';
import { CodeView } from '../../parts/code-view.tsx';

const MAX_SHOWN = 4_000;

/** The answer of a run: text as it is, anything else as JSON. */
export function OutputText({ output }: { readonly output: unknown }): ReactNode {
  const text = typeof output === 'string' ? output : JSON.stringify(output, null, 2);
  if (text === undefined || text === '' || text === 'null') return null;
  return (
    <div className="started-output">
      <CodeView code={text.slice(0, MAX_SHOWN)} label="Answer" wrap />
      {text.length > MAX_SHOWN && <span className="small muted">The run's page shows all of it.</span>}
    </div>
  );
}
