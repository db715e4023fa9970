import { type KeyboardEvent, type ReactNode, useMemo } from 'react';
import { Button } from '../../parts/button.tsx';
import { formatCount, formatExact } from '../../parts/format.ts';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { dataOf, type TreeRecord } from './record/types.ts';
import type { Moment } from './use-moment.ts';

/** More marks than this would be a solid line. */
const MAX_MARKS = 60;

/** Moves through the events of the run. The arrow keys move by steps. */
export function Scrubber({
  moment,
  isComplete,
}: {
  readonly moment: Moment;
  readonly isComplete: boolean;
}): ReactNode {
  const { whole, tree, count, isNow, choose } = moment;
  const total = whole.events.length;
  const stops = useMemo(() => stepStops(whole), [whole]);
  const marks = useMemo(() => markPlaces(whole), [whole]);
  const move = (by: 1 | -1): void => {
    const next = by > 0 ? stops.find((stop) => stop > count) : stops.findLast((stop) => stop < count);
    choose(next ?? (by > 0 ? total : 1));
  };
  useShortcuts({ ArrowLeft: () => move(-1), ArrowRight: () => move(1) });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    event.preventDefault();
    move(event.key === 'ArrowRight' ? 1 : -1);
  };
  const steps = whole.root.steps.length;
  const done = tree.root.steps.length;
  const where = `step ${formatCount(done)} of ${formatCount(steps)}`;
  return (
    <div className="run-scrub">
      <time className="mono small" dateTime={new Date(tree.at).toISOString()}>
        {formatExact(tree.at).slice(11)}
      </time>
      <div className="run-track">
        {marks.map(({ place, kind }) => (
          <i
            key={place}
            className={`run-mark run-mark-${kind}`}
            style={{ left: `${(100 * place) / total}%` }}
          />
        ))}
        <input
          type="range"
          aria-label="Moment of the run"
          aria-valuetext={`${where}, ${formatExact(tree.at)}`}
          min={1}
          max={Math.max(2, total)}
          value={count}
          onChange={(event) => choose(Number(event.target.value))}
          onKeyDown={onKeyDown}
        />
      </div>
      <span className="small muted run-where">
        {isComplete ? where : `${formatCount(total)} events loaded…`} <kbd>←</kbd> <kbd>→</kbd>
      </span>
      <Button look="quiet" disabled={isNow} onClick={() => choose(total)}>
        {whole.root.endedAt === undefined ? 'Live' : 'End'}
      </Button>
    </div>
  );
}

/** After how many events each step of the run has its next decision or outcome. */
function stepStops({ events, root }: TreeRecord): readonly number[] {
  const own = `run/${root.id}`;
  return events.flatMap((event, place) =>
    event.stream === own && dataOf(event)['step'] !== undefined ? [place + 1] : [],
  );
}

const MARKED: Readonly<Record<string, 'wait' | 'bad'>> = {
  'approval.requested': 'wait',
  'question.asked': 'wait',
  'budget.exhausted': 'wait',
  'run.paused': 'wait',
  'tool.failed': 'bad',
  'run.failed': 'bad',
  'remediation.retried': 'bad',
};

function markPlaces({
  events,
}: TreeRecord): readonly { readonly place: number; readonly kind: 'wait' | 'bad' }[] {
  const found = events.flatMap((event, index) => {
    const kind = MARKED[event.type] ?? (dataOf(event)['outcome'] === 'failed' ? 'bad' : undefined);
    return kind === undefined ? [] : [{ place: index + 1, kind }];
  });
  return found.slice(0, MAX_MARKS);
}
