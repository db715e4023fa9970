import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { shortId } from '../../parts/format.ts';
import { MarkdownView } from '../../parts/markdown-view.tsx';
import { TurnRequests } from './turn-requests.tsx';
import { TurnSteps } from './turn-steps.tsx';
import type { Turn } from './turns.ts';

interface LiveTurnProps {
  readonly turn: Turn;
  readonly text: string;
  /** Whether its run has started, so that it can be read. */
  readonly hasStarted: boolean;
  readonly isPaused: boolean;
}

/** An answer that is being written: steps so far, what it asks, and its text as it streams. */
export function LiveTurn({ turn, text, hasStarted, isPaused }: LiveTurnProps): ReactNode {
  const { agent, run, status } = turn;
  const isQueued = status === 'queued';
  const doing =
    text !== '' ? 'writes' : isQueued ? (isPaused ? 'waits until the chat resumes' : 'is next') : 'works';
  return (
    <article className="message message-live" aria-label={`${agent} ${doing}`}>
      <header className="message-head">
        <b>{agent}</b>
        <span className="small muted" role="status">
          {doing}
          {!isQueued && '…'}
        </span>
        {run !== undefined && hasStarted && (
          <Link className="link small" href={`/runs/${run}`}>
            run {shortId(run)}
          </Link>
        )}
      </header>
      {run !== undefined && hasStarted && <TurnSteps run={run} />}
      {text !== '' && <MarkdownView text={text} />}
      {run !== undefined && <TurnRequests run={run} />}
    </article>
  );
}
