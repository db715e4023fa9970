import { type ReactNode, useMemo } from 'react';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { longestPath } from '../record/longest-path.ts';
import type { ViewProps } from '../run-views.tsx';
import { Flame } from './flame.tsx';
import { Gantt } from './gantt.tsx';

/** When each step ran, and where the money and the time went. */
export function TimelineTab({ moment, selection }: ViewProps): ReactNode {
  const { tree } = moment;
  const path = useMemo(() => longestPath(tree), [tree]);
  if (tree.root.steps.length === 0)
    return (
      <EmptyState title="No step yet">
        <p>The run has not made a decision. Its first step appears here.</p>
      </EmptyState>
    );
  return (
    <>
      <Gantt moment={moment} selection={selection} path={path} />
      <Flame tree={tree} onSelect={selection.choose} />
    </>
  );
}
