import type { ReactNode } from 'react';
import { useApi } from '../../api/query.ts';
import type { ScheduleItem } from '../../api/types.ts';
import { Card } from '../../parts/card.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { Section } from '../../parts/section.tsx';

const SHOWN = 6;

/** Schedules in the order of their next firing; those that fire on a change come last. */
export function nextFirings(schedules: readonly ScheduleItem[]): readonly ScheduleItem[] {
  const nextOf = ({ next }: ScheduleItem): number => next[0] ?? Number.POSITIVE_INFINITY;
  return schedules
    .filter(({ enabled, next, onChange }) => enabled && (next.length > 0 || onChange !== undefined))
    .toSorted((one, other) => nextOf(one) - nextOf(other));
}

export function NextFirings(): ReactNode {
  const query = useApi('/v1/schedules');
  return (
    <Section title="Next" more={{ label: 'Schedules', href: '/schedules' }}>
      <Card flush>
        <QueryState query={query}>
          {(schedules) => {
            const next = nextFirings(schedules).slice(0, SHOWN);
            if (next.length === 0) return <p className="home-nothing">No schedule is on.</p>;
            return next.map((schedule) => <Firing key={schedule.id} schedule={schedule} />);
          }}
        </QueryState>
      </Card>
    </Section>
  );
}

function Firing({ schedule: { graph, next, onChange } }: { readonly schedule: ScheduleItem }): ReactNode {
  const [at] = next;
  return (
    <div className="home-line">
      <span className="ellipsis">{graph}</span>
      <span className="small muted number">
        {at === undefined ? `on change: ${onChange}` : <RelativeTime at={at} />}
      </span>
    </div>
  );
}
