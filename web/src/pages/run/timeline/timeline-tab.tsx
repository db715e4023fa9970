import { type ReactNode, useMemo } from 'react';
import { EmptyState } from '../../../parts/empty-state.tsx';
import { longestPath } from '../record/longest-path.ts';
import { useSettled } from '../use-settled.ts';
import type { ViewProps } from '../view-props.ts';
import { Flame } from './flame.tsx';
import { Gantt } from './gantt.tsx';

const FLAME_MS = 120;

/** When each step ran, and where the money and the time went. */
export function TimelineTab({ moment, selection }: ViewProps): ReactNode {
  const { tree } = moment;
  // Adding up all steps takes longer than a frame in a long run, so it waits until the scrubber rests.
  const settled = useSettled(tree, FLAME_MS);
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
      <Flame tree={settled} onSelect={selection.choose} />
    </>
  );
}
