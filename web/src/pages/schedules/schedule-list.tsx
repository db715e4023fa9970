import type { ReactNode } from 'react';
import type { ScheduleItem } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { SplitView } from '../../parts/split-view.tsx';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { Missed } from './missed.tsx';
import { SchedulePanel } from './schedule-panel.tsx';
import { ScheduleRow } from './schedule-row.tsx';

/** Every schedule with its switches; j and k choose one. */
export function ScheduleList({ schedules }: { readonly schedules: readonly ScheduleItem[] }): ReactNode {
  const [chosen, choose] = useUrlParam('schedule');
  const index = schedules.findIndex(({ id }) => id === chosen);
  const move = (by: number): void => {
    const next = schedules[Math.min(Math.max(index + by, 0), schedules.length - 1)];
    if (next !== undefined) choose(next.id);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1), Escape: () => choose('') });
  const shown = schedules[index];
  return (
    <div className="schedules-tab">
      <SplitView
        label="Schedule"
        list={
          <div className="stack">
            <Card flush>
              <ul className="schedule-list" aria-label="Schedules">
                {schedules.map((schedule) => (
                  <li key={schedule.id} data-selected={schedule.id === chosen}>
                    <ScheduleRow schedule={schedule} onChoose={choose} />
                  </li>
                ))}
              </ul>
            </Card>
            <Missed schedules={schedules} onChoose={choose} />
          </div>
        }
        panel={
          shown === undefined ? undefined : (
            <SchedulePanel key={shown.id} schedule={shown} onGone={() => choose('')} />
          )
        }
        onClose={() => choose('')}
      />
    </div>
  );
}
