import { type ReactNode, useState } from 'react';
import type { ScheduleItem } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { plural } from '../../parts/format.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { byDay, clockOf, type DayEntry, dayOf, dayTitle, monthOf } from './calendar.ts';
import { DayEntries } from './day-entries.tsx';
import { DenserNote } from './denser-note.tsx';
import { usePlanned } from './use-planned.ts';
import { ZoneNote } from './zone-note.tsx';

const MINUTE_MS = 60_000;
const WEEKDAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun'];

/** The coming firings of a month. The month and the chosen day are in the address. */
export function MonthView({ schedules }: { readonly schedules: readonly ScheduleItem[] }): ReactNode {
  const [now] = useState(() => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const [name, setName] = useUrlParam('month');
  const [day, setDay] = useUrlParam('day');
  const month = monthOf(name, now);
  const isCurrent = month.from <= now;
  const { planned, denser, error } = usePlanned(schedules, {
    from: Math.max(month.from - 1, now),
    until: Math.max(month.until, now),
  });
  const days = byDay(planned);
  const entries = days.get(day);
  const move = (by: number): void => setName(monthOf(month.name, now, by).name);
  return (
    <div className="stack schedules-tab">
      {error !== undefined && <ErrorState error={error} />}
      <Card
        title={month.title}
        flush
        actions={
          <>
            <Button disabled={isCurrent} onClick={() => move(-1)}>
              Previous
            </Button>
            <Button disabled={name === ''} onClick={() => setName('')}>
              This month
            </Button>
            <Button onClick={() => move(1)}>Next</Button>
          </>
        }
      >
        <table className="month">
          <thead>
            <tr>
              {WEEKDAYS.map((weekday) => (
                <th key={weekday} scope="col">
                  {weekday}
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {month.weeks.map((week) => (
              <tr key={week.find((cell) => cell !== undefined)}>
                {week.map((cell, index) => (
                  // biome-ignore lint/suspicious/noArrayIndexKey: the place in the week is the identity of an empty cell.
                  <td key={index}>
                    {cell !== undefined && (
                      <DayCell
                        day={cell}
                        now={now}
                        entries={days.get(cell) ?? []}
                        isChosen={cell === day}
                        onChoose={setDay}
                      />
                    )}
                  </td>
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </Card>
      <ZoneNote />
      <DenserNote denser={denser} />
      {entries !== undefined && (
        <Card title={dayTitle(day, now)} flush>
          <DayEntries entries={entries} />
        </Card>
      )}
    </div>
  );
}

interface DayCellProps {
  readonly day: string;
  readonly now: number;
  readonly entries: readonly DayEntry[];
  readonly isChosen: boolean;
  readonly onChoose: (day: string) => void;
}

const SHOWN = 3;

function DayCell({ day, now, entries, isChosen, onChoose }: DayCellProps): ReactNode {
  const today = dayOf(now);
  const count = entries.reduce((sum, { times }) => sum + times.length, 0);
  const state = day === today ? 'month-today' : day < today ? 'month-past' : '';
  const date = (
    <span className="month-date" aria-hidden={count > 0 || undefined}>
      {Number(day.slice(-2))}
    </span>
  );
  if (count === 0) return <div className={`month-day ${state}`}>{date}</div>;
  return (
    <button
      type="button"
      className={`month-day ${state}`}
      aria-pressed={isChosen}
      onClick={() => onChoose(isChosen ? '' : day)}
    >
      <span className="hidden-text">{`${day}: ${plural(count, 'firing')}. `}</span>
      {date}
      <span className="month-count" aria-hidden="true">
        {count}
      </span>
      {entries.slice(0, SHOWN).map(({ schedule, times }) => (
        <span key={schedule.id} className="month-entry ellipsis">
          {times.length === 1 ? clockOf(times[0] as number) : `${times.length} ×`} {schedule.graph}
        </span>
      ))}
      {entries.length > SHOWN && <span className="month-entry muted">+{entries.length - SHOWN} more</span>}
    </button>
  );
}
