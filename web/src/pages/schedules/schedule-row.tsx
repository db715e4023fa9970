import type { ReactNode } from 'react';
import type { ScheduleItem } from '../../api/types.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { ScheduleSwitches } from './schedule-switches.tsx';
import { useScheduleSwitches, useSwitchActions } from './use-schedule-switches.ts';

interface ScheduleRowProps {
  readonly schedule: ScheduleItem;
  readonly onChoose: (id: string) => void;
}

/** A schedule in one row: what runs when, with its switches. */
export function ScheduleRow({ schedule, onChoose }: ScheduleRowProps): ReactNode {
  const { id, graph, enabled, next, problem, queued } = schedule;
  const switches = useScheduleSwitches(schedule, () => onChoose(id));
  useSwitchActions(schedule, switches);
  return (
    <div className="schedule-row">
      <StatusMark status={problem === undefined ? (enabled ? 'enabled' : 'disabled') : 'error'} />
      <button type="button" className="schedule-name" onClick={() => onChoose(id)}>
        <b className="ellipsis">{graph}</b>
        <span className="small muted ellipsis">
          {id} · <When schedule={schedule} />
        </span>
      </button>
      <span className="small muted schedule-next">
        {problem !== undefined && <span className="schedule-problem">{problem.message}</span>}
        {next[0] !== undefined && (
          <span>
            next <RelativeTime at={next[0]} />
          </span>
        )}
        {queued && <span> · one queued</span>}
      </span>
      <ScheduleSwitches schedule={schedule} switches={switches} />
    </div>
  );
}

/** When a schedule fires. */
export function When({ schedule }: { readonly schedule: ScheduleItem }): ReactNode {
  if (schedule.onChange !== undefined)
    return (
      <>
        on a change of <code>{schedule.onChange === '' ? './' : schedule.onChange}</code>
      </>
    );
  return (
    <>
      <code>{schedule.cron}</code> {schedule.zone}
    </>
  );
}
