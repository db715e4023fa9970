import { type ReactNode, useState } from 'react';
import { useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { Decision } from './decision.tsx';

/** Asks the policy about a call without making it. */
export function TryCall(): ReactNode {
  const tools = useApi('/v1/tools');
  const [tool, setTool] = useState('files.read');
  const [input, setInput] = useState('{ "path": "README.md" }');
  const explain = useAction('post', '/v1/policy/explain', { onProblem: () => undefined });
  const parsed = parse(input);
  const answer = explain.data;
  return (
    <Card title="Try a call">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          if (parsed !== undefined)
            explain.mutate({ body: { tool: tool.trim(), input: parsed.value as never } });
        }}
      >
        <p className="muted">Nothing is called: the policy only says what it would decide.</p>
        <TextField
          label="Tool"
          list="policy-tools"
          value={tool}
          onChange={(event) => setTool(event.target.value)}
        />
        <datalist id="policy-tools">
          {tools.data?.map(({ name }) => (
            <option key={name} value={name} />
          ))}
        </datalist>
        <TextArea
          label="Arguments as JSON"
          className="mono"
          value={input}
          error={parsed === undefined ? 'This is not valid JSON' : undefined}
          onChange={(event) => setInput(event.target.value)}
        />
        <div>
          <Button
            type="submit"
            busy={explain.isPending}
            disabled={parsed === undefined || tool.trim() === ''}
          >
            Ask the policy
          </Button>
        </div>
      </form>
      {explain.error !== null && <ErrorState error={explain.error} />}
      {answer !== undefined && (
        <section className="settings-answer" aria-label="Decision">
          <KeyValues
            pairs={[
              ['Decision', <Decision key="decision" decision={answer.decision} />],
              [
                'Rule',
                <span key="rule" className="mono">
                  {answer.rule}
                </span>,
              ],
              ['Why', answer.why],
              ['Effect', answer.sideEffect],
              ['Risk', answer.risk],
              ['Default', `${answer.default.decision}: ${answer.default.why}`],
              ...answer.notes.map((note, i) => [i === 0 ? 'Also' : ` ${i}`, note] as const),
            ]}
          />
        </section>
      )}
    </Card>
  );
}

function parse(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) };
  } catch {
    return undefined;
  }
}
