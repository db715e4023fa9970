import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/query.ts';
import { plural, shortId } from '../../parts/format.ts';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { type FiringItem, WHY } from './skip-reasons.ts';

const SHOWN = 30;

/** The runs and misses of a schedule, newest first. */
export function FiringHistory({ schedule }: { readonly schedule: string }): ReactNode {
  const query = useApi('/v1/schedules/{id}/firings', {
    params: { path: { id: schedule }, query: { limit: SHOWN } },
  });
  return (
    <section>
      <h3>Runs and misses</h3>
      <QueryState query={query}>
        {(firings) =>
          firings.length === 0 ? (
            <p className="muted">It has not fired yet.</p>
          ) : (
            <ul className="firings" aria-label="Runs and misses">
              {firings.map((firing) => (
                <li key={firing.id}>
                  <FiringLine firing={firing} />
                </li>
              ))}
            </ul>
          )
        }
      </QueryState>
    </section>
  );
}

function FiringLine({ firing }: { readonly firing: FiringItem }): ReactNode {
  const { status, why, run, count, more, until, failure } = firing;
  return (
    <div className="firing">
      <StatusMark status={status} look="shape" />
      <span className="firing-text">
        {run !== undefined && (
          <Link className="link" href={`/runs/${run}`}>
            Run {shortId(run)}
          </Link>
        )}
        <span>
          {status === 'skipped' && `${plural(count, 'planned time')}${more ? ' or more' : ''} missed: `}
          {WHY[why]}
          {failure !== undefined && <span className="muted"> – {failure.message ?? failure.code}</span>}
        </span>
      </span>
      <span className="small muted number">
        <RelativeTime at={until} />
      </span>
    </div>
  );
}
