import { type ReactNode, useState } from 'react';
import { Link } from 'wouter';
import { useAction } from '../../api/query.ts';
import type { ScheduleItem } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { formatExact } from '../../parts/format.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { showInfo } from '../../state/toasts.ts';
import { FiringHistory } from './firing-history.tsx';
import { When } from './schedule-row.tsx';
import { ScheduleSwitches } from './schedule-switches.tsx';
import { useScheduleSwitches } from './use-schedule-switches.ts';

const MISFIRE: Readonly<Record<string, string>> = {
  skip: 'Skip missed times',
  one: 'Run once for all missed times',
  all: 'Run every missed time',
};
const OVERLAP: Readonly<Record<string, string>> = {
  skip: 'Skip while a run is active',
  queue: 'Wait for the active run',
  allow: 'Run beside the active run',
};

interface SchedulePanelProps {
  readonly schedule: ScheduleItem;
  readonly onGone: () => void;
}

/** One schedule: its settings, and what became of its planned times. */
export function SchedulePanel({ schedule, onGone }: SchedulePanelProps): ReactNode {
  const switches = useScheduleSwitches(schedule, () => undefined);
  return (
    <>
      <div className="card-head">
        <h2 className="ellipsis">{schedule.id}</h2>
        <StatusMark status={schedule.enabled ? 'enabled' : 'disabled'} />
      </div>
      <div className="card-body stack">
        <KeyValues pairs={pairsOf(schedule)} />
        <div className="schedule-panel-switches">
          <ScheduleSwitches schedule={schedule} switches={switches} />
        </div>
        <FiringHistory schedule={schedule.id} />
        <Delete schedule={schedule} onGone={onGone} />
      </div>
    </>
  );
}

function pairsOf(schedule: ScheduleItem): readonly (readonly [string, ReactNode])[] {
  const { graph, next, misfire, overlap, dst, input, inputErased, addedAt, addedBy, problem } = schedule;
  return [
    ['Problem', problem?.message],
    [
      'Graph',
      <Link key="graph" className="link" href={`/graphs/${encodeURIComponent(graph)}`}>
        {graph}
      </Link>,
    ],
    ['When', <When key="when" schedule={schedule} />],
    ['Next', next.length === 0 ? undefined : <NextTimes key="next" next={next} />],
    ['Missed', MISFIRE[misfire] ?? misfire],
    ['Overlap', OVERLAP[overlap] ?? overlap],
    ['Clock change', dst === 'skip' ? 'Skip times that the clock skips' : undefined],
    ['Input', inputErased ? 'Erased' : input === null ? undefined : <JsonView key="input" value={input} />],
    [
      'Added',
      <span key="added">
        <RelativeTime at={addedAt} /> by {addedBy}
      </span>,
    ],
  ];
}

function NextTimes({ next }: Pick<ScheduleItem, 'next'>): ReactNode {
  return (
    <ul className="next-times">
      {next.map((at) => (
        <li key={at}>
          {formatExact(at)}{' '}
          <span className="muted">
            <RelativeTime at={at} />
          </span>
        </li>
      ))}
    </ul>
  );
}

function Delete({ schedule, onGone }: SchedulePanelProps): ReactNode {
  const [isOpen, setIsOpen] = useState(false);
  const remove = useAction('delete', '/v1/schedules/{id}', {
    onDone: () => {
      showInfo(`${schedule.id} is deleted.`);
      onGone();
    },
  });
  return (
    <div className="row">
      <Button look="danger" onClick={() => setIsOpen(true)}>
        Delete…
      </Button>
      <Confirm
        title={`Delete ${schedule.id}?`}
        open={isOpen}
        action="Delete"
        danger
        busy={remove.isPending}
        onConfirm={() => remove.mutate({ params: { path: { id: schedule.id } } })}
        onClose={() => setIsOpen(false)}
      >
        <p className="muted">
          It fires no more. Its runs stay, and active ones continue. To stop it for a while, switch it off
          instead.
        </p>
      </Confirm>
    </div>
  );
}
