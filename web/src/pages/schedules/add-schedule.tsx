import { type ReactNode, useState } from 'react';
import type { Problem } from '../../api/problem.ts';
import { useAction, useApi } from '../../api/query.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { SelectField, TextArea } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { showInfo } from '../../state/toasts.ts';
import { FiringPreview } from './firing-preview.tsx';
import { cronOf, FIRST_TIMING } from './timing.ts';
import { TimingFields } from './timing-fields.tsx';
import { browserZone } from './zone-note.tsx';

const MISFIRE = [
  { value: 'one', label: 'Run once for all of them' },
  { value: 'skip', label: 'Skip them' },
  { value: 'all', label: 'Run every one' },
] as const;
const OVERLAP = [
  { value: 'skip', label: 'Skip the new one' },
  { value: 'queue', label: 'Let the new one wait' },
  { value: 'allow', label: 'Run both' },
] as const;

interface AddScheduleProps {
  /** The graph that is chosen at first; empty for none. */
  readonly graph: string;
  readonly onClose: () => void;
}

/** A form for a schedule, with the times at which it would fire. */
export function AddSchedule({ graph: first, onClose }: AddScheduleProps): ReactNode {
  const { data: graphs = [] } = useApi('/v1/graphs');
  const [chosen, setGraph] = useState(first);
  const [timing, setTiming] = useState(FIRST_TIMING);
  const [zone, setZone] = useState(browserZone);
  const [input, setInput] = useState('');
  const [misfire, setMisfire] = useState<(typeof MISFIRE)[number]['value']>('one');
  const [overlap, setOverlap] = useState<(typeof OVERLAP)[number]['value']>('skip');
  const [problem, setProblem] = useState<Problem>();
  const add = useAction('post', '/v1/schedules', {
    onDone: ({ id }) => {
      showInfo(`Added ${id}.`);
      onClose();
    },
    onProblem: setProblem,
  });
  const valid = graphs.filter((one) => one.problem === undefined);
  const graph = chosen || valid[0]?.id || '';
  const cron = cronOf(timing);
  const isChange = timing.kind === 'change';
  const parsed = parseInput(input);
  const isComplete = graph !== '' && parsed.isValid && (isChange ? timing.path.trim() !== '' : cron !== '');
  const submit = (): void => {
    setProblem(undefined);
    add.mutate({
      body: {
        graph,
        ...(isChange ? { onChange: timing.path.trim() } : { cron, zone }),
        ...(parsed.value !== undefined && { input: parsed.value }),
        misfire,
        overlap,
      },
    });
  };
  return (
    <FormDialog
      title="Add a schedule"
      action="Add"
      wide
      className="add-schedule"
      busy={add.isPending}
      disabled={!isComplete}
      onSubmit={submit}
      onClose={onClose}
    >
      <div className="stack">
        <SelectField
          label="Graph"
          value={graph}
          onChange={(event) => setGraph(event.target.value)}
          hint={
            valid.length === 0
              ? 'There is no graph yet. Create one: oka graph new notes --from notes-index'
              : undefined
          }
          options={valid.map(({ id, name }) => ({
            value: id,
            label: name === id ? id : `${name} (${id})`,
          }))}
        />
        <TimingFields timing={timing} onChange={setTiming} zone={zone} onZone={setZone} />
        <TextArea
          label="Input as JSON"
          hint="Empty: the graph gets no input."
          error={parsed.isValid ? undefined : 'This is not JSON.'}
          className="mono"
          value={input}
          onChange={(event) => setInput(event.target.value)}
        />
        <div className="add-schedule-pair">
          <SelectField
            label="Missed times"
            options={MISFIRE}
            value={misfire}
            onChange={(event) => setMisfire(event.target.value as typeof misfire)}
          />
          <SelectField
            label="If a run is still active"
            options={OVERLAP}
            value={overlap}
            onChange={(event) => setOverlap(event.target.value as typeof overlap)}
          />
        </div>
        {problem !== undefined && <ErrorState error={problem} />}
      </div>
      <FiringPreview cron={cron} zone={zone} isChange={isChange} />
    </FormDialog>
  );
}

function parseInput(text: string): { readonly isValid: boolean; readonly value?: unknown } {
  if (text.trim() === '') return { isValid: true };
  try {
    return { isValid: true, value: JSON.parse(text) };
  } catch {
    return { isValid: false };
  }
}
