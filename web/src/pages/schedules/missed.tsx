import type { ReactNode } from 'react';
import type { ScheduleItem } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { plural } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { WHY } from './skip-reasons.ts';

interface MissedProps {
  readonly schedules: readonly ScheduleItem[];
  readonly onChoose: (id: string) => void;
}

/** The newest miss of each schedule with its reason. */
export function Missed({ schedules, onChoose }: MissedProps): ReactNode {
  const missed = schedules
    .flatMap(({ id, lastSkipped }) => (lastSkipped === undefined ? [] : [{ id, ...lastSkipped }]))
    .toSorted((one, other) => other.until - one.until);
  if (missed.length === 0) return null;
  return (
    <Card title="Missed" flush>
      <ul className="schedule-list" aria-label="Missed">
        {missed.map(({ id, count, more, why, until, failure }) => (
          <li key={id}>
            <button type="button" className="missed-row" onClick={() => onChoose(id)}>
              <StatusMark status="skipped" look="shape" />
              <span>
                <b>{id}</b> {plural(count, 'planned time')}
                {more && ' or more'}: {WHY[why]}
                {failure !== undefined && <span className="muted"> – {failure.message ?? failure.code}</span>}
              </span>
              <span className="small muted number">
                <RelativeTime at={until} />
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
