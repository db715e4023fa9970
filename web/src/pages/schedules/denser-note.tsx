import type { ReactNode } from 'react';
import { formatExact } from '../../parts/format.ts';
import type { Planned } from './calendar.ts';

/** Names schedules whose later firings are not shown, so that an empty day is not taken for a day off. */
export function DenserNote({ denser }: { readonly denser: readonly Planned[] }): ReactNode {
  if (denser.length === 0) return null;
  return (
    <p className="small muted">
      {denser
        .map(({ schedule, at }) => `${schedule.id} continues to fire after ${formatExact(at)}`)
        .join('; ')}
      . It fires too often to list.
    </p>
  );
}
