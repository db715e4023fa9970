import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { shortId } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { runName } from '../../parts/run-line.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { useActions } from '../../state/actions.ts';
import type { Candidate } from './rank-candidates.ts';
import { useCandidates } from './use-candidates.ts';
import './compare-action.css';

interface CompareActionProps {
  readonly run: string;
  readonly label?: string;
}

/** A button, and an entry of the palette, that chooses the run to compare with. */
export function CompareAction({ run, label = 'Compare…' }: CompareActionProps): ReactNode {
  const [isOpen, setOpen] = useState(false);
  useActions(
    useMemo(
      () => [
        {
          id: 'run.compare',
          label: 'Compare with another run…',
          keywords: ['difference', 'diff'],
          run: () => setOpen(true),
        },
      ],
      [],
    ),
  );
  return (
    <>
      <Button onClick={() => setOpen(true)}>{label}</Button>
      {isOpen && <CompareWithRun answer={{ run: { id: run } }} onClose={() => setOpen(false)} />}
    </>
  );
}

interface CompareWithRunProps {
  readonly answer: { readonly run: { readonly id: string } };
  readonly onClose: () => void;
}

/** Chooses the other run: forks and attempts first, then runs of the same goal, then the newest. */
export function CompareWithRun({ answer: { run }, onClose }: CompareWithRunProps): ReactNode {
  const [text, setText] = useState('');
  const [, navigate] = useLocation();
  const { candidates, error, retry } = useCandidates(run.id, text);
  const choose = (other: string): void => {
    onClose();
    navigate(`/runs/${run.id}/compare/${other}`);
  };
  return (
    <Dialog title="Compare with another run" open onClose={onClose} wide>
      <SearchBox label="Search goals" value={text} onChange={setText} />
      <div className="compare-candidates">
        {error !== null && <ErrorState error={error} onRetry={retry} />}
        {candidates?.length === 0 && (
          <EmptyState title={text === '' ? 'There is no other run' : 'No other run matches'}>
            <p>Fork a step of this run, or give the goal again.</p>
          </EmptyState>
        )}
        {candidates?.map((candidate) => (
          <Choice key={candidate.run.id} candidate={candidate} onChoose={choose} />
        ))}
      </div>
    </Dialog>
  );
}

interface ChoiceProps {
  readonly candidate: Candidate;
  readonly onChoose: (run: string) => void;
}

function Choice({ candidate: { run, relation }, onChoose }: ChoiceProps): ReactNode {
  return (
    <button type="button" className="compare-candidate" onClick={() => onChoose(run.id)}>
      <StatusMark status={run.status} look="shape" />
      <span className="ellipsis">{runName(run)}</span>
      <span className="small muted">{relation}</span>
      <span className="small muted mono">{shortId(run.id)}</span>
      <span className="small muted number">
        <RelativeTime at={run.startedAt} />
      </span>
    </button>
  );
}
