import { type ReactNode, useState } from 'react';
import type { ScheduleItem } from '../../api/types.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { useNow } from '../../parts/relative-time.tsx';
import { Section } from '../../parts/section.tsx';
import { byDay, dayTitle } from './calendar.ts';
import { DayEntries } from './day-entries.tsx';
import { DenserNote } from './denser-note.tsx';
import { usePlanned } from './use-planned.ts';
import { ZoneNote } from './zone-note.tsx';

const MINUTE_MS = 60_000;
const DAY_MS = 86_400_000;
const FIRST_DAYS = 7;
const MAX_DAYS = 28;

/** The firings of the next days, day by day. */
export function Agenda({ schedules }: { readonly schedules: readonly ScheduleItem[] }): ReactNode {
  const [from] = useState(() => Math.floor(Date.now() / MINUTE_MS) * MINUTE_MS);
  const [days, setDays] = useState(FIRST_DAYS);
  const now = useNow();
  const { planned, denser, isLoading, error } = usePlanned(schedules, { from, until: from + days * DAY_MS });
  const coming = byDay(planned.filter(({ at }) => at >= now - MINUTE_MS));
  return (
    <div className="stack schedules-tab">
      {error !== undefined && <ErrorState error={error} />}
      {!isLoading && coming.size === 0 && (
        <Card flush>
          <EmptyState title={`Nothing fires in the next ${days} days.`}>
            <p>
              Only schedules that are on and fire at times are here, not those that fire when files change.
            </p>
          </EmptyState>
        </Card>
      )}
      {[...coming].map(([day, entries]) => (
        <Section key={day} title={dayTitle(day, now)}>
          <Card flush>
            <DayEntries entries={entries} />
          </Card>
        </Section>
      ))}
      <ZoneNote />
      <DenserNote denser={denser} />
      {days < MAX_DAYS && (
        <div>
          <Button busy={isLoading} onClick={() => setDays((shown) => shown + FIRST_DAYS)}>
            Show another week
          </Button>
        </div>
      )}
    </div>
  );
}
