import { type ReactNode, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { useAction } from '../../api/query.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { showInfo } from '../../state/toasts.ts';

const DAY_MS = 86_400_000;
const IMPORTANCE = ['1 – low', '2', '3 – usual', '4', '5 – high'].map((label, index) => ({
  value: String(index + 1),
  label,
}));
const OUTCOMES = {
  added: 'Fact added.',
  affirmed: 'The fact was known; its details are updated.',
  known: 'The fact was known already.',
};

/** A form for one fact. */
export function AddFact({ onClose }: { readonly onClose: () => void }): ReactNode {
  const [fields, setFields] = useState({ text: '', namespace: '', importance: '3', key: '', days: '' });
  const [problem, setProblem] = useState<Problem>();
  const add = useAction('post', '/v1/memory/facts', {
    onDone: ({ outcome }) => {
      showInfo(OUTCOMES[outcome]);
      onClose();
    },
    onProblem: setProblem,
  });
  const set =
    (name: keyof typeof fields) =>
    (event: { readonly target: { readonly value: string } }): void =>
      setFields((now) => ({ ...now, [name]: event.target.value }));
  const text = fields.text.trim();
  const submit = (): void => {
    setProblem(undefined);
    add.mutate({
      body: {
        text,
        importance: Number(fields.importance),
        ...(fields.namespace.trim() !== '' && { namespace: fields.namespace.trim() }),
        ...(fields.key.trim() !== '' && { key: fields.key.trim() }),
        ...(fields.days !== '' && { ttlMs: Number(fields.days) * DAY_MS }),
      },
    });
  };
  return (
    <FormDialog
      title="Add a fact"
      action="Add"
      busy={add.isPending}
      disabled={text === ''}
      onSubmit={submit}
      onClose={onClose}
    >
      <TextArea label="Fact" placeholder="Ada prefers tea" value={fields.text} onChange={set('text')} />
      <div className="memory-fields">
        <SelectField
          label="Importance"
          options={IMPORTANCE}
          value={fields.importance}
          onChange={set('importance')}
        />
        <TextField
          label="Namespace"
          placeholder="default"
          value={fields.namespace}
          onChange={set('namespace')}
        />
        <TextField
          label="Key"
          hint="A newer fact with the same key replaces this one."
          value={fields.key}
          onChange={set('key')}
        />
        <TextField
          label="Valid for days"
          hint="Empty: it does not expire."
          type="number"
          min="1"
          value={fields.days}
          onChange={set('days')}
        />
      </div>
      {problem !== undefined && <ErrorState error={problem} />}
    </FormDialog>
  );
}
