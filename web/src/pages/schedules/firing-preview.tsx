import { type ReactNode, useEffect, useState } from 'react';
import { useApi } from '../../api/query.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { formatExact } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { ZoneNote } from './zone-note.tsx';

const SHOWN = 6;
const PAUSE_MS = 250;

interface FiringPreviewProps {
  readonly cron: string;
  readonly zone: string;
  readonly isChange: boolean;
}

/** The next times of an expression, or what is wrong with it. */
export function FiringPreview({ cron, zone, isChange }: FiringPreviewProps): ReactNode {
  const asked = usePaused(`${cron}\n${zone}`);
  const [askedCron = '', askedZone = ''] = asked.split('\n');
  const query = useApi(
    '/v1/schedule-preview',
    { params: { query: { cron: askedCron, zone: askedZone, limit: SHOWN } } },
    { enabled: !isChange && askedCron !== '' && askedZone !== '' },
  );
  return (
    <section className="firing-preview" aria-label="Next firings" aria-live="polite">
      <h3>Next firings</h3>
      {isChange ? (
        <p className="muted">It fires when something below the path changes.</p>
      ) : (
        <>
          <code className="muted">{cron === '' ? '–' : cron}</code>
          {query.error !== null && <ErrorState error={query.error} />}
          {query.error === null && (
            <>
              <ol className="next-times">
                {(query.data?.next ?? []).map((at) => (
                  <li key={at}>
                    {formatExact(at).slice(0, -3)}{' '}
                    <span className="muted">
                      <RelativeTime at={at} />
                    </span>
                  </li>
                ))}
              </ol>
              <ZoneNote />
            </>
          )}
        </>
      )}
    </section>
  );
}

/** A value that follows when it has not changed for a moment. */
function usePaused(value: string): string {
  const [paused, setPaused] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setPaused(value), PAUSE_MS);
    return () => clearTimeout(timer);
  }, [value]);
  return paused;
}
