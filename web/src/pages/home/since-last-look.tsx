import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { RunLine } from '../../parts/run-line.tsx';
import { Section } from '../../parts/section.tsx';

const READ = 50;
const SHOWN = 8;

/** Runs that failed since the person last looked. */
export function SinceLastLook({ since }: { readonly since: number }): ReactNode {
  const query = useApi('/v1/runs', {
    params: { query: { status: ['failed'], rootsOnly: true, limit: READ } },
  });
  return (
    <Section
      title="Failed since you last looked"
      note={
        <span className="muted small">
          <RelativeTime at={since} />
        </span>
      }
    >
      <Card flush>
        <QueryState query={query}>
          {({ items }) => {
            const failed = items.filter(({ endedAt }) => (endedAt ?? 0) > since);
            if (failed.length === 0) return <p className="home-nothing">Nothing failed.</p>;
            return (
              <>
                {failed.slice(0, SHOWN).map((run) => (
                  <RunLine key={run.id} run={run} />
                ))}
                {failed.length > SHOWN && (
                  <Link className="run-line link" href="/runs?status=failed">
                    All failed runs
                  </Link>
                )}
              </>
            );
          }}
        </QueryState>
      </Card>
    </Section>
  );
}
