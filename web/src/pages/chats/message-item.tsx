import { memo, type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';
import { formatTokens, shortId } from '../../parts/format.ts';
import { MarkdownView } from '../../parts/markdown-view.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { showCost } from './show-cost.ts';
import { TurnChanges, TurnSteps } from './turn-steps.tsx';
import type { StoppedText, Turn } from './turns.ts';
import type { Message, Notice } from './use-messages.ts';

interface MessageItemProps {
  readonly message: Message;
  readonly notices: readonly Notice[];
  /** The turn that it answers. */
  readonly turn: Turn | undefined;
  readonly isUnpriced: boolean;
  /** What turns had written about it when they were stopped. */
  readonly stopped: readonly StoppedText[];
}

const PERSON = 'user';

/** A stored message, with what its turn did and used. */
export const MessageItem = memo(function MessageItem(props: MessageItemProps): ReactNode {
  const { message, notices, turn, isUnpriced, stopped } = props;
  const isOwn = message.from === PERSON;
  return (
    <article className={`message ${isOwn ? 'message-own' : ''}`} id={`message-${message.id}`}>
      <header className="message-head">
        <b>{isOwn ? 'You' : message.from}</b>
        <span className="small muted">
          <RelativeTime at={message.at} />
        </span>
        <span className="message-copy">
          <CopyButton text={message.content} label="Copy the message" />
        </span>
      </header>
      {isOwn ? <p className="message-text">{message.content}</p> : <MarkdownView text={message.content} />}
      {turn?.run !== undefined && <TurnFoot turn={turn} run={turn.run} isUnpriced={isUnpriced} />}
      {stopped.map(({ id, agent, text }) => (
        <blockquote key={id} className="message-stopped">
          <b>{agent}</b> <span className="small muted">had written, not stored:</span>
          <MarkdownView text={text} />
        </blockquote>
      ))}
      {notices.map(({ what, message: of, retry }) => (
        <p key={`${of} ${what}`} className="chat-notice small">
          {what} {retry !== undefined && <RetryButton turn={retry} />}
        </p>
      ))}
    </article>
  );
});

/** Retries a turn that ended without an answer. Its id begins with the conversation. */
function RetryButton({ turn }: { readonly turn: string }): ReactNode {
  const retry = useAction('post', '/v1/chats/{conversation}/retry');
  const conversation = turn.slice(0, turn.indexOf('/'));
  return (
    <Button
      look="quiet"
      busy={retry.isPending}
      onClick={() => retry.mutate({ params: { path: { conversation } }, body: { turn } })}
    >
      Retry
    </Button>
  );
}

interface TurnFootProps {
  readonly turn: Turn;
  readonly run: string;
  readonly isUnpriced: boolean;
}

/** Read when it is opened: a long conversation has many turns. */
function TurnFoot({ turn, run, isUnpriced }: TurnFootProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  return (
    <details className="turn-foot small" onToggle={(event) => setIsOpen(event.currentTarget.open)}>
      <summary>
        Steps
        {turn.tokens > 0 && ` · ${formatTokens(turn.tokens)} tokens · ${showCost(turn.costUsd, isUnpriced)}`}
      </summary>
      {isOpen && (
        <>
          <TurnSteps run={run} />
          <TurnChanges run={run} />
          <Link className="link" href={`/runs/${run}`}>
            Open run {shortId(run)}
          </Link>
        </>
      )}
    </details>
  );
}
