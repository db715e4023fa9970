import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { type Answer, useAction } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { formatTokens } from '../../parts/format.ts';
import { Menu } from '../../parts/menu.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { useActions } from '../../state/actions.ts';
import { showInfo } from '../../state/toasts.ts';
import { showCost } from './show-cost.ts';
import type { Turn } from './turns.ts';

interface ChatHeadProps {
  readonly name: string;
  readonly isPaused: boolean;
  /** Whether a turn waits for the person. */
  readonly isWaiting: boolean;
  readonly turns: readonly Turn[];
  readonly usage: Answer<'/v1/chats/{conversation}/usage'> | undefined;
  /** Further buttons. */
  readonly children: ReactNode;
}

/** The state of a conversation in one line: stop, pause, resume, delete, and what it used. */
export function ChatHead({ name, isPaused, isWaiting, turns, usage, children }: ChatHeadProps): ReactNode {
  const [, navigate] = useLocation();
  const [isDeleting, setIsDeleting] = useState(false);
  const input = useMemo(() => ({ params: { path: { conversation: name } } }), [name]);
  const stop = useAction('post', '/v1/chats/{conversation}/stop', {
    onDone: (stopped) => stopped.length === 0 && showInfo('Nothing was running.'),
  });
  const pause = useAction('post', '/v1/chats/{conversation}/pause');
  const resume = useAction('post', '/v1/chats/{conversation}/resume');
  const remove = useAction('delete', '/v1/chats/{conversation}', { onDone: () => navigate('/chats') });
  const isAnswering = turns.some(({ status }) => status === 'claimed');
  const isBusy = turns.some(({ waiting }) => waiting !== undefined);
  const change = isPaused ? resume : pause;
  const { mutate: stopNow } = stop;
  const { mutate: changeNow } = change;
  useActions(
    useMemo(
      () => [
        { id: 'chat.stop', label: 'Stop the answers', run: () => stopNow({ ...input, body: {} }) },
        {
          id: 'chat.pause',
          label: isPaused ? 'Resume the conversation' : 'Pause the conversation',
          run: () => changeNow({ ...input, body: {} }),
        },
      ],
      [stopNow, changeNow, input, isPaused],
    ),
  );
  const isUnpriced = usage?.turns.some(({ unpriced }) => unpriced) ?? false;
  return (
    <header className="chat-head">
      {isPaused && <StatusMark status="paused" />}
      {isWaiting && <StatusMark status="waiting" label="Waiting for you" />}
      {isBusy && <StatusMark status="waiting" label="Waiting for the model" />}
      {!isPaused && !isWaiting && !isBusy && isAnswering && <StatusMark status="running" label="Answering" />}
      {usage !== undefined && usage.tokens > 0 && (
        <span className="small muted">
          {formatTokens(usage.tokens)} tokens · {showCost(usage.costUsd, isUnpriced)}
        </span>
      )}
      <span className="row row-end">
        {isAnswering && (
          <Button look="danger" busy={stop.isPending} onClick={() => stop.mutate({ ...input, body: {} })}>
            Stop
          </Button>
        )}
        <Button busy={change.isPending} onClick={() => change.mutate({ ...input, body: {} })}>
          {isPaused ? 'Resume' : 'Pause'}
        </Button>
        {children}
        <Menu
          label="More"
          items={[{ label: 'Delete the conversation…', danger: true, onSelect: () => setIsDeleting(true) }]}
        />
      </span>
      <Confirm
        title={`Delete ${name}?`}
        open={isDeleting}
        action="Delete"
        danger
        busy={remove.isPending}
        onClose={() => setIsDeleting(false)}
        onConfirm={() => remove.mutate(input)}
      >
        Its messages are erased and its turns are cancelled. This cannot be undone.
      </Confirm>
    </header>
  );
}
