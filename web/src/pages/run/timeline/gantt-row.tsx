import { memo, type ReactNode } from 'react';
import { formatDuration, formatMoney } from '../../../parts/format.ts';
import { StatusMark } from '../../../parts/status-mark.tsx';
import { stepLabel } from '../record/step-label.ts';
import { stepStatus } from '../record/step-status.ts';
import type { RunRecord, Segment, Step } from '../record/types.ts';
import type { TimeScale } from './time-scale.ts';

interface SharedProps {
  readonly depth: number;
  readonly scale: TimeScale;
  /** Until when something that lasts is drawn. */
  readonly until: number;
  readonly showsMoment: boolean;
  readonly isOnPath: boolean;
  /** The last column: the cost, or how long it took in a run without costs. */
  readonly showsCost: boolean;
}

interface StepRowProps extends SharedProps {
  readonly step: Step;
  readonly isSelected: boolean;
  readonly onSelect: (key: string) => void;
}

export const GanttStepRow = memo(function GanttStepRow(props: StepRowProps): ReactNode {
  const { step, depth, scale, until, isSelected, onSelect } = props;
  const { status, word } = stepStatus(step);
  return (
    <button
      type="button"
      className="gantt-row"
      aria-pressed={isSelected}
      onClick={() => onSelect(isSelected ? '' : step.key)}
    >
      <RowName depth={depth} isOnPath={props.isOnPath}>
        <StatusMark status={status} label={word} look="shape" />
        <span className="ellipsis">{stepLabel(step)}</span>
        {step.attempts > 1 && <span className="small muted">×{step.attempts}</span>}
      </RowName>
      <Lane scale={scale} until={until} showsMoment={props.showsMoment} segments={step.segments} />
      <LastColumn
        showsCost={props.showsCost}
        cost={step.spend['cost_usd']}
        took={(step.endedAt ?? until) - step.startedAt}
      />
    </button>
  );
});

interface RunRowProps extends SharedProps {
  readonly run: RunRecord;
  readonly isOpen: boolean;
  readonly onToggle: (id: string) => void;
}

/** A child run as one bar. It opens to its steps. */
export const GanttRunRow = memo(function GanttRunRow(props: RunRowProps): ReactNode {
  const { run, depth, scale, until, isOpen, onToggle } = props;
  const bar: Segment = { kind: 'plan', from: run.startedAt, to: run.endedAt ?? until };
  return (
    <button type="button" className="gantt-row" aria-expanded={isOpen} onClick={() => onToggle(run.id)}>
      <RowName depth={depth} isOnPath={props.isOnPath}>
        <span aria-hidden="true" className="gantt-caret">
          {isOpen ? '▾' : '▸'}
        </span>
        <StatusMark status={run.status} look="shape" />
        <b className="ellipsis">{run.goal === '' ? run.kind : run.goal}</b>
      </RowName>
      <Lane scale={scale} until={until} showsMoment={props.showsMoment} segments={[bar]} />
      <LastColumn
        showsCost={props.showsCost}
        cost={run.used['cost_usd']}
        took={(run.endedAt ?? until) - run.startedAt}
      />
    </button>
  );
});

interface LastColumnProps {
  readonly showsCost: boolean;
  readonly cost: number | undefined;
  readonly took: number;
}

function LastColumn({ showsCost, cost, took }: LastColumnProps): ReactNode {
  const shown = showsCost
    ? cost === undefined || cost === 0
      ? '–'
      : formatMoney(cost)
    : formatDuration(took);
  return <span className="small muted number">{shown}</span>;
}

const MAX_SHOWN_DEPTH = 6;

interface RowNameProps {
  readonly depth: number;
  readonly isOnPath: boolean;
  readonly children: ReactNode;
}

function RowName({ depth, isOnPath, children }: RowNameProps): ReactNode {
  return (
    <span className="gantt-name" style={{ paddingLeft: 4 + 12 * Math.min(depth, MAX_SHOWN_DEPTH) }}>
      {isOnPath && <i className="gantt-path" title="On the longest path" />}
      {children}
    </span>
  );
}

interface LaneProps extends Pick<SharedProps, 'scale' | 'until' | 'showsMoment'> {
  readonly segments: readonly Segment[];
}

/** Bars narrower than the least width stay visible. */
function Lane({ scale, until, showsMoment, segments }: LaneProps): ReactNode {
  return (
    <span className="gantt-lane">
      {segments.map((segment, index) => {
        const end = segment.to ?? Math.max(until, segment.from);
        const left = scale.place(segment.from);
        return (
          <i
            // biome-ignore lint/suspicious/noArrayIndexKey: segments are only added at the end.
            key={index}
            className={`gantt-bar gantt-${segment.kind}`}
            style={{ left: `${left}%`, width: `${scale.place(end) - left}%` }}
            title={`${SAYS[segment.kind]}${segment.what === undefined ? '' : ` (${segment.what})`}: ${formatDuration(end - segment.from)}`}
          />
        );
      })}
      {showsMoment && <i className="gantt-moment" style={{ left: `${scale.place(until)}%` }} />}
    </span>
  );
}

const SAYS: Readonly<Record<Segment['kind'], string>> = {
  model: 'Model',
  tool: 'Call',
  plan: 'Decision',
  retry: 'Failed attempt',
  wait: 'Waits',
};
