import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { formatDuration, plural } from '../../../parts/format.ts';
import { useNow } from '../../../parts/relative-time.tsx';
import { VirtualList } from '../../../parts/virtual-list.tsx';
import { useShortcuts } from '../../../state/use-shortcuts.ts';
import type { Moment } from '../use-moment.ts';
import type { Selection } from '../use-selected-step.ts';
import { GanttRunRow, GanttStepRow } from './gantt-row.tsx';
import { type GanttRow, ganttRows } from './gantt-rows.ts';
import { timeScale } from './time-scale.ts';

const ROW_HEIGHT = 28;

interface GanttProps {
  readonly moment: Moment;
  readonly selection: Selection;
  readonly path: ReadonlySet<string>;
}

/** The steps over time. Only the visible rows are rendered. */
export function Gantt({ moment, selection, path }: GanttProps): ReactNode {
  const { tree, whole, isNow } = moment;
  const [toggled, setToggled] = useState<ReadonlySet<string>>(new Set());
  const now = useNow();
  const end = whole.root.endedAt === undefined ? now : 0;
  const scale = useMemo(() => timeScale(whole, end), [whole, end]);
  const rows = useMemo(() => ganttRows(tree, toggled), [tree, toggled]);
  const until = isNow && tree.root.endedAt === undefined ? Math.max(end, tree.at) : tree.at;
  const showsCost = (whole.root.used['cost_usd'] ?? 0) > 0;
  const toggle = useCallback(
    (id: string) =>
      setToggled(
        (before) => new Set(before.has(id) ? [...before].filter((one) => one !== id) : [...before, id]),
      ),
    [],
  );
  const { step, choose } = selection;
  const row = useCallback(
    (one: GanttRow) => {
      const shared = { scale, until, showsMoment: !isNow, showsCost };
      return one.kind === 'step' ? (
        <GanttStepRow
          {...shared}
          {...one}
          isSelected={one.key === step?.key}
          isOnPath={path.has(one.step.run)}
          onSelect={choose}
        />
      ) : (
        <GanttRunRow {...shared} {...one} isOnPath={path.has(one.run.id)} onToggle={toggle} />
      );
    },
    [scale, until, isNow, showsCost, step?.key, choose, path, toggle],
  );
  const selected = rows.findIndex(({ key }) => key === step?.key);
  useStepKeys(rows, selected, choose);
  return (
    <div className="gantt">
      <div className="gantt-row gantt-axis small" aria-hidden="true">
        <span />
        <span className="gantt-ticks">
          {scale.ticks.map((tick, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: ticks have places, not identities.
            <span key={index}>{tick}</span>
          ))}
        </span>
        <span className="number">{showsCost ? 'cost' : 'took'}</span>
      </div>
      <VirtualList
        label={plural(tree.root.steps.length, 'step')}
        items={rows}
        keyOf={({ key }) => key}
        row={row}
        rowHeight={ROW_HEIGHT}
        maxHeight="46vh"
        selected={selected < 0 ? undefined : selected}
      />
      {path.size > 0 && (
        <p className="small muted gantt-note">
          <i className="gantt-path" aria-hidden="true" /> On the longest path: {plural(path.size, 'run')} of{' '}
          {tree.runs.size}, {formatDuration((tree.root.endedAt ?? until) - tree.root.startedAt)}
        </p>
      )}
    </div>
  );
}

/** j and k choose the next and the previous step. */
function useStepKeys(rows: readonly GanttRow[], selected: number, choose: (key: string) => void): void {
  const move = (by: 1 | -1): void => {
    const after = by > 0 ? rows.slice(selected + 1) : rows.slice(0, Math.max(0, selected)).toReversed();
    const next = after.find(({ kind }) => kind === 'step');
    if (next !== undefined) choose(next.key);
  };
  useShortcuts({ j: () => move(1), k: () => move(-1) });
}
