import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Problem } from '../../api/problem.ts';
import { useAction } from '../../api/query.ts';
import { TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';

interface NewConversationProps {
  readonly open: boolean;
  readonly onClose: () => void;
}

export function NewConversation({ open, onClose }: NewConversationProps): ReactNode {
  const [, navigate] = useLocation();
  const [name, setName] = useState('');
  const [problem, setProblem] = useState<Problem>();
  const create = useAction('post', '/v1/chats', {
    onDone: (made) => navigate(`/chats/${encodeURIComponent(made.name)}`),
    onProblem: setProblem,
  });
  return (
    <FormDialog
      title="New conversation"
      open={open}
      action="Create"
      busy={create.isPending}
      onSubmit={() => create.mutate({ body: name.trim() === '' ? {} : { name: name.trim() } })}
      onClose={onClose}
    >
      <TextField
        label="Name"
        hint="Letters, digits, _ and -. Without a name one is chosen."
        error={problem?.detail}
        value={name}
        onChange={(event) => {
          setProblem(undefined);
          setName(event.target.value);
        }}
      />
      <p className="muted">Several agents can take part: mention them with @name.</p>
    </FormDialog>
  );
}
