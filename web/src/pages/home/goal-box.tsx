import { type ReactNode, useMemo, useRef } from 'react';
import { useAction } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { useActions } from '../../state/actions.ts';

interface GoalBoxProps {
  readonly goal: string;
  readonly onChange: (goal: string) => void;
  readonly onStarted: (run: string) => void;
}

/** Starts a run from a goal in plain words. */
export function GoalBox({ goal, onChange, onStarted }: GoalBoxProps): ReactNode {
  const input = useRef<HTMLInputElement>(null);
  const start = useAction('post', '/v1/runs', {
    onDone: ({ run }) => {
      onChange('');
      onStarted(run.id);
    },
  });
  useActions(
    useMemo(
      () => [
        {
          id: 'goal',
          label: 'Give a goal',
          keywords: ['do', 'start', 'run'],
          run: () => input.current?.focus(),
        },
      ],
      [],
    ),
  );
  const isEmpty = goal.trim() === '';
  return (
    <form
      className="card goal-box"
      onSubmit={(event) => {
        event.preventDefault();
        if (!isEmpty && !start.isPending) start.mutate({ body: { goal: goal.trim() } });
      }}
    >
      <input
        ref={input}
        aria-label="Goal"
        placeholder="What should be done?"
        autoComplete="off"
        value={goal}
        onChange={(event) => onChange(event.target.value)}
      />
      <Button type="submit" look="primary" busy={start.isPending} disabled={isEmpty}>
        Start
      </Button>
    </form>
  );
}
