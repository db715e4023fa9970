import { type ReactNode, useState } from 'react';
import { useLocation } from 'wouter';
import type { Problem } from '../../api/problem.ts';
import { useAction } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { TextField } from '../../parts/field.tsx';

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
    <Dialog title="New conversation" open={open} onClose={onClose}>
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: name.trim() === '' ? {} : { name: name.trim() } });
        }}
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
        <div className="dialog-actions">
          <Button look="quiet" onClick={onClose}>
            Cancel
          </Button>
          <Button type="submit" look="primary" busy={create.isPending}>
            Create
          </Button>
        </div>
      </form>
    </Dialog>
  );
}
