import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/query.ts';
import { Composer } from './composer.tsx';

interface RoomComposerProps {
  readonly conversation: string;
  /** The agent that receives every message. */
  readonly to: string | undefined;
  readonly agents: readonly string[];
  readonly isPaused: boolean;
}

const keyOf = (conversation: string): string => `oka.draft.${conversation}`;

/** Sends a message. What is typed is kept while the tab is open. */
export function RoomComposer({ conversation, to, agents, isPaused }: RoomComposerProps): ReactNode {
  const [text, setText] = useState(() => sessionStorage.getItem(keyOf(conversation)) ?? '');
  const [note, setNote] = useState('');
  const change = (next: string): void => {
    setText(next);
    sessionStorage.setItem(keyOf(conversation), next);
  };
  const send = useAction('post', '/v1/chats/{conversation}/messages', {
    onDone: ({ notified, unknown }) => {
      change('');
      const isUnheard = notified.length === 0 && unknown.length === 0;
      setNote(isUnheard ? 'No agent was mentioned, so none answers. Write @name to ask one.' : '');
    },
  });
  const paused = isPaused ? ' The conversation is paused: answers wait until it resumes.' : '';
  return (
    <>
      {note !== '' && (
        <p className="chat-notice small" role="status">
          {note}
        </p>
      )}
      <Composer
        label={to === undefined ? 'Message' : `Message to ${to}`}
        placeholder={`${to === undefined ? 'Write @name to ask an agent.' : `Message ${to}.`} Enter sends.${paused}`}
        agents={agents}
        isBusy={send.isPending}
        text={text}
        onChange={change}
        onSend={(message) =>
          send.mutate({
            params: { path: { conversation } },
            body: { text: message, ...(to !== undefined && { to: [to] }) },
          })
        }
      />
    </>
  );
}
