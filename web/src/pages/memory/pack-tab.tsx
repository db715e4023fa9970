import { type ReactNode, useState } from 'react';
import { useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { SelectField, TextField } from '../../parts/field.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { useUrlParam } from '../../state/use-url-param.ts';
import { PackView } from './pack-view.tsx';

/** The memory that a run for a goal would be given now. Nothing is sent or recorded. */
export function PackTab(): ReactNode {
  const [goal] = useUrlParam('goal');
  const [cap] = useUrlParam('cap');
  const [agent] = useUrlParam('agent');
  const pack = useApi(
    '/v1/memory/pack',
    {
      params: {
        query: { goal, ...(Number(cap) > 0 && { cap: Number(cap) }), ...(agent !== '' && { agent }) },
      },
    },
    { enabled: goal !== '', keepPrevious: true },
  );
  return (
    <div className="stack memory-tab">
      <PackForm key={`${goal} ${cap} ${agent}`} />
      {goal === '' ? (
        <Card flush>
          <EmptyState title="What would a run know?">
            <p>
              Write a goal to see which facts, files and procedures a model would get, and what is left out.
            </p>
          </EmptyState>
        </Card>
      ) : (
        <QueryState query={pack}>{(answer) => <PackView pack={answer} />}</QueryState>
      )}
    </div>
  );
}

function PackForm(): ReactNode {
  const [goal, setGoal] = useUrlParam('goal');
  const [cap, setCap] = useUrlParam('cap');
  const [agent, setAgent] = useUrlParam('agent');
  const [typed, setTyped] = useState(goal);
  const [typedCap, setTypedCap] = useState(cap);
  const { data: agents = [] } = useApi('/v1/agents');
  return (
    <form
      className="memory-filters memory-pack-form"
      onSubmit={(event) => {
        event.preventDefault();
        setCap(typedCap);
        setGoal(typed.trim());
      }}
    >
      <TextField
        label="Goal"
        placeholder="What should be done?"
        value={typed}
        onChange={(event) => setTyped(event.target.value)}
      />
      <SelectField
        label="Agent"
        value={agent}
        onChange={(event) => setAgent(event.target.value)}
        options={[
          { value: '', label: 'Default' },
          ...agents.map(({ name }) => ({ value: name, label: name })),
        ]}
      />
      <TextField
        label="Tokens at most"
        placeholder="As a run"
        type="number"
        min="1"
        value={typedCap}
        onChange={(event) => setTypedCap(event.target.value)}
      />
      <Button type="submit" look="primary" disabled={typed.trim() === ''}>
        Preview
      </Button>
    </form>
  );
}
