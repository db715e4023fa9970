import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { clockOf, type DayEntry } from './calendar.ts';

const SHOWN = 4;

/** The schedules of a day with their times. */
export function DayEntries({ entries }: { readonly entries: readonly DayEntry[] }): ReactNode {
  return (
    <ul className="day-entries">
      {entries.map(({ schedule, times }) => (
        <li key={schedule.id}>
          <span className="day-time">{timesText(times)}</span>
          <Link className="ellipsis" href={`/schedules?schedule=${encodeURIComponent(schedule.id)}`}>
            <b>{schedule.graph}</b> <span className="muted">{schedule.id}</span>
          </Link>
        </li>
      ))}
    </ul>
  );
}

/** A few times, or how many between the first and the last. */
function timesText(times: readonly number[]): string {
  if (times.length <= SHOWN) return times.map(clockOf).join('  ');
  return `${times.length} times, ${clockOf(times[0] as number)} to ${clockOf(times.at(-1) as number)}`;
}
