import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { LiveText } from '../../api/live-text.ts';
import { formatExact, shortId } from '../../parts/format.ts';
import { MarkdownView } from '../../parts/markdown-view.tsx';
import { TurnRequests } from './turn-requests.tsx';
import { TurnSteps } from './turn-steps.tsx';
import type { Turn } from './turns.ts';

export interface LiveTurnProps {
  readonly turn: Turn;
  readonly live: LiveText | undefined;
  /** Whether its run has started, so that it can be read. */
  readonly hasStarted: boolean;
  readonly isPaused: boolean;
  /** Whether it waits for the person. */
  readonly isWaiting: boolean;
}

/** An answer that is being written: steps so far, what it asks, and its text as it streams. */
export function LiveTurn(props: LiveTurnProps): ReactNode {
  const { turn, live, hasStarted } = props;
  const { agent, run } = turn;
  const { text = '', isWhole = true } = live ?? {};
  const doing = doingOf(props);
  return (
    <article className="message message-live" aria-label={`${agent} ${doing}`}>
      <header className="message-head">
        <b>{agent}</b>
        <span className="small muted" role="status">
          {doing}
        </span>
        {run !== undefined && hasStarted && (
          <Link className="link small" href={`/runs/${run}`}>
            run {shortId(run)}
          </Link>
        )}
      </header>
      {run !== undefined && hasStarted && <TurnSteps run={run} />}
      {text !== '' && <MarkdownView text={isWhole ? text : `… ${text}`} />}
      {run !== undefined && <TurnRequests run={run} />}
    </article>
  );
}

function doingOf({ turn, live, isPaused, isWaiting }: LiveTurnProps): string {
  if (turn.status === 'queued') return isPaused ? 'waits until the chat resumes' : 'is next';
  if (turn.waiting !== undefined)
    return `waits until ${formatExact(turn.waiting.until)}: ${turn.waiting.why}`;
  if (isWaiting) return 'waits for you';
  return live === undefined || live.text === '' ? 'works…' : 'writes…';
}
