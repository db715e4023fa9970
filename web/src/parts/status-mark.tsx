import type { ReactNode } from 'react';

export type Tone = 'ok' | 'wait' | 'bad' | 'run' | 'none';

interface Look {
  readonly tone: Tone;
  readonly word: string;
  readonly shape: ReactNode;
}

const ring = <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="2" />;
const disc = <circle cx="5" cy="5" r="5" fill="currentColor" />;
const bars = <path d="M2 1h2v8H2zM6 1h2v8H6z" fill="currentColor" />;
const cross = <path d="M1 1l8 8M9 1 1 9" stroke="currentColor" strokeWidth="2" fill="none" />;
const tick = <path d="M1 5.5 4 8.5 9 2" stroke="currentColor" strokeWidth="2" fill="none" />;
const dash = <path d="M1 5h8" stroke="currentColor" strokeWidth="2" fill="none" />;
const dots = (
  <circle cx="5" cy="5" r="4" fill="none" stroke="currentColor" strokeWidth="1.5" strokeDasharray="2 2" />
);

/** The statuses of runs, approvals, schedules and checks. */
const LOOKS: Readonly<Record<string, Look>> = {
  pending: { tone: 'none', word: 'Queued', shape: dots },
  running: { tone: 'run', word: 'Running', shape: disc },
  interrupted: { tone: 'wait', word: 'Interrupted', shape: dots },
  waiting: { tone: 'wait', word: 'Waiting', shape: ring },
  paused: { tone: 'wait', word: 'Paused', shape: bars },
  completed: { tone: 'ok', word: 'Completed', shape: tick },
  partial: { tone: 'wait', word: 'Done in part', shape: ring },
  unproven: { tone: 'wait', word: 'Not proven', shape: ring },
  failed: { tone: 'bad', word: 'Failed', shape: cross },
  cancelled: { tone: 'none', word: 'Cancelled', shape: dash },
  approved: { tone: 'ok', word: 'Approved', shape: tick },
  granted: { tone: 'ok', word: 'Approved', shape: tick },
  denied: { tone: 'bad', word: 'Denied', shape: cross },
  answered: { tone: 'ok', word: 'Answered', shape: tick },
  withdrawn: { tone: 'none', word: 'Withdrawn', shape: dash },
  expired: { tone: 'none', word: 'Expired', shape: dash },
  enabled: { tone: 'ok', word: 'On', shape: disc },
  disabled: { tone: 'none', word: 'Off', shape: ring },
  valid: { tone: 'ok', word: 'Valid', shape: tick },
  fresh: { tone: 'ok', word: 'Fresh', shape: tick },
  stale: { tone: 'wait', word: 'Stale', shape: ring },
  rests_on_stale: { tone: 'wait', word: 'Rests on stale', shape: ring },
  not_checked: { tone: 'none', word: 'Not checked', shape: dots },
  invalid: { tone: 'bad', word: 'Invalid', shape: cross },
  gone: { tone: 'none', word: 'Gone', shape: dash },
  superseded: { tone: 'none', word: 'Replaced', shape: dash },
  given: { tone: 'run', word: 'Given', shape: disc },
  candidate: { tone: 'none', word: 'Candidate', shape: dots },
  promoted: { tone: 'ok', word: 'Promoted', shape: tick },
  demoted: { tone: 'wait', word: 'Demoted', shape: bars },
  forgotten: { tone: 'none', word: 'Forgotten', shape: dash },
  fired: { tone: 'ok', word: 'Fired', shape: tick },
  queued: { tone: 'wait', word: 'Queued', shape: bars },
  skipped: { tone: 'bad', word: 'Missed', shape: cross },
  ok: { tone: 'ok', word: 'OK', shape: tick },
  warning: { tone: 'wait', word: 'Warning', shape: ring },
  error: { tone: 'bad', word: 'Error', shape: cross },
};

const lookOf = (status: string): Look => LOOKS[status] ?? { tone: 'none', word: status, shape: dots };

/** The status of a run; for a completed one that is not proven or done in part, that. */
export function shownStatus(run: { readonly status: string; readonly outcome?: string }): string {
  return run.outcome === undefined || run.outcome === 'checked' ? run.status : run.outcome;
}

export const statusWord = (status: string): string => lookOf(status).word;

interface StatusMarkProps {
  readonly status: string;
  /** Another word than the usual one, such as "Waiting for you". */
  readonly label?: string;
  /** Without the coloured background, for rows of a list. `shape` also hides the word from the eye. */
  readonly look?: 'chip' | 'plain' | 'shape';
}

/** A status as a shape and a word, so that it does not depend on colour. */
export function StatusMark({ status, label, look = 'chip' }: StatusMarkProps): ReactNode {
  const { tone, word, shape } = lookOf(status);
  const shown = label ?? word;
  return (
    <span
      className={`chip tone-${tone} ${look === 'chip' ? '' : 'status-plain'}`}
      title={look === 'shape' ? shown : undefined}
    >
      <svg className="status-shape" viewBox="0 0 10 10" aria-hidden="true">
        {shape}
      </svg>
      <span className={look === 'shape' ? 'hidden-text' : undefined}>{shown}</span>
    </span>
  );
}
