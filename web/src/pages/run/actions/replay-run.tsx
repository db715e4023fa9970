import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import type { Problem } from '../../../api/problem.ts';
import { type Answer, readApi } from '../../../api/query.ts';
import { Button } from '../../../parts/button.tsx';
import { Dialog } from '../../../parts/dialog.tsx';
import { DiffView } from '../../../parts/diff-view.tsx';
import { SelectField } from '../../../parts/field.tsx';
import { plural } from '../../../parts/format.ts';
import { QueryState } from '../../../parts/query-state.tsx';
import { StatusMark } from '../../../parts/status-mark.tsx';
import { diffValues } from '../record/diff-values.ts';
import type { ActionProps } from './run-action.ts';

type Replayed = Answer<'/v1/runs/{run}/replay'>;
type Mode = 'decision' | 'full';

const MODES = [
  { value: 'decision', label: 'Decisions: decide again with the recorded evidence. Calls nothing.' },
  { value: 'full', label: 'Full: also make the calls again that only read or stay in a copy.' },
] as const;

/** Repeats the run and shows what would be different now. Changes nothing. */
export function ReplayRun({ answer: { run }, onClose }: ActionProps): ReactNode {
  const [mode, setMode] = useState<Mode>('decision');
  const [started, setStarted] = useState<Mode>();
  return (
    <Dialog title="Replay the run" open onClose={onClose} wide>
      <div className="stack">
        <div className="replay-form">
          <SelectField
            label="What to repeat"
            options={MODES}
            value={mode}
            onChange={(event) => setMode(event.target.value as Mode)}
          />
          <Button look="primary" disabled={started === mode} onClick={() => setStarted(mode)}>
            Replay
          </Button>
        </div>
        {started !== undefined && <Report key={started} run={run.id} mode={started} />}
      </div>
    </Dialog>
  );
}

function Report({ run, mode }: { readonly run: string; readonly mode: Mode }): ReactNode {
  const query = useQuery<Replayed, Problem>({
    queryKey: ['replay', run, mode],
    queryFn: () => readApi('/v1/runs/{run}/replay', { params: { path: { run }, query: { mode } } }),
    gcTime: 0,
    staleTime: Number.POSITIVE_INFINITY,
    refetchOnWindowFocus: false,
  });
  return <QueryState query={query}>{(report) => <Differences report={report} />}</QueryState>;
}

const MAX_SHOWN = 100;

function Differences({
  report: { equal, compared, differences, notes },
}: {
  readonly report: Replayed;
}): ReactNode {
  return (
    <section className="stack" aria-label="Differences">
      <div role="status">
        <StatusMark
          status={equal ? 'ok' : 'warning'}
          label={
            equal
              ? `Equal: ${plural(compared, 'decision')} compared`
              : `${plural(differences.length, 'difference')} in ${plural(compared, 'decision')}`
          }
        />
      </div>
      {notes.map((note) => (
        <p key={note} className="small muted">
          {note}
        </p>
      ))}
      {differences.slice(0, MAX_SHOWN).map(({ step, recorded, replayed }, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a step can differ twice, and the list does not change.
        <div key={index}>
          <h3>
            Step {step} <span className="small muted">− recorded, + now</span>
          </h3>
          <DiffView diff={diffValues(recorded, replayed)} label={`Difference of step ${step}`} />
        </div>
      ))}
      {differences.length > MAX_SHOWN && (
        <p className="small muted">and {differences.length - MAX_SHOWN} more</p>
      )}
    </section>
  );
}
