import { type ReactNode, useMemo } from 'react';
import { useApi } from '../../api/query.ts';
import type { ScheduleItem } from '../../api/types.ts';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatRelative, plural } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { useNow } from '../../parts/relative-time.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useActions } from '../../state/actions.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { AddSchedule } from './add-schedule.tsx';
import { Agenda } from './agenda.tsx';
import { MonthView } from './month-view.tsx';
import { ScheduleList } from './schedule-list.tsx';
import './schedules.css';

/** The value of `add` in the address where no graph is chosen yet. */
const ANY = 'any';

/** What fires when, what was missed and why, and the switches. `?add=<graph>` opens the form. */
export default function SchedulesPage(): ReactNode {
  const query = useApi('/v1/schedules');
  const [adding, setAdding] = useUrlParam('add');
  const [, setTab] = useUrlParam('tab');
  useActions(
    useMemo(
      () => [
        { id: 'schedules.add', label: 'Add a schedule', run: () => setAdding(ANY) },
        {
          id: 'schedules.agenda',
          label: 'Show the agenda',
          keywords: ['calendar'],
          run: () => setTab('agenda'),
        },
        {
          id: 'schedules.month',
          label: 'Show the month',
          keywords: ['calendar'],
          run: () => setTab('month'),
        },
      ],
      [setAdding, setTab],
    ),
  );
  return (
    <Page
      title="Schedules"
      width="wide"
      facts={<Facts schedules={query.data} />}
      actions={
        <Button look="primary" onClick={() => setAdding(ANY)}>
          Add a schedule
        </Button>
      }
    >
      <QueryState query={query}>
        {(schedules) =>
          schedules.length === 0 ? (
            <Card flush>
              <NoSchedules />
            </Card>
          ) : (
            <Tabs
              label="Schedules"
              tabs={[
                { id: 'list', label: 'Schedules', content: () => <ScheduleList schedules={schedules} /> },
                { id: 'agenda', label: 'Agenda', content: () => <Agenda schedules={schedules} /> },
                { id: 'month', label: 'Month', content: () => <MonthView schedules={schedules} /> },
              ]}
            />
          )
        }
      </QueryState>
      {adding !== '' && <AddSchedule graph={adding === ANY ? '' : adding} onClose={() => setAdding('')} />}
    </Page>
  );
}

function Facts({ schedules }: { readonly schedules: readonly ScheduleItem[] | undefined }): ReactNode {
  const now = useNow();
  if (schedules === undefined) return <span>Loading…</span>;
  const on = schedules.filter(({ enabled }) => enabled);
  const next = Math.min(...on.flatMap((schedule) => schedule.next).filter((at) => at > now));
  return (
    <span>
      {plural(schedules.length, 'schedule')} · {on.length} on
      {Number.isFinite(next) && ` · next ${formatRelative(next, now)}`}
    </span>
  );
}

function NoSchedules(): ReactNode {
  return (
    <EmptyState title="No schedules yet">
      <p>A schedule runs a graph at certain times, or when files change. Add one above, or in a terminal:</p>
      <p>
        <code>oka graph schedule add open-items "0 7 * * 1-5" --zone Europe/Berlin</code>
      </p>
    </EmptyState>
  );
}
