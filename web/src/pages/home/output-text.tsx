import type { ReactNode } from 'react';
import { outputText } from '../../../../src/api/output-text.ts';
import { CodeView } from '../../parts/code-view.tsx';

const MAX_SHOWN = 4_000;

/** The answer of a run, as the command line writes it. */
export function OutputText({ output }: { readonly output: unknown }): ReactNode {
  if (output === undefined || output === null || output === '') return null;
  const text = outputText(output as Parameters<typeof outputText>[0]);
  return (
    <div className="started-output">
      <CodeView code={text.slice(0, MAX_SHOWN)} label="Answer" wrap />
      {text.length > MAX_SHOWN && <span className="small muted">The run's page shows all of it.</span>}
    </div>
  );
}
