import type { ReactNode } from 'react';
import { formatCount } from '../../parts/format.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { EventsTab } from './events-tab.tsx';
import { GraphTab } from './graph-tab.tsx';
import { Scrubber } from './scrubber.tsx';
import { StoryTab } from './story-tab.tsx';
import { TimelineTab } from './timeline/timeline-tab.tsx';
import type { ViewProps } from './view-props.ts';

/** The tabs, and the scrubber that all of them follow. */
export function RunViews({ isComplete, ...view }: ViewProps & { readonly isComplete: boolean }): ReactNode {
  const { moment, answer } = view;
  const { graph } = answer.run;
  const isGraph = answer.run.kind === 'graph' && graph !== undefined;
  const tabs = [
    { id: 'timeline', label: 'Timeline', content: () => <TimelineTab {...view} /> },
    ...(isGraph
      ? [{ id: 'graph', label: 'Graph', content: () => <GraphTab {...view} graph={graph} /> }]
      : []),
    { id: 'story', label: 'Story', content: () => <StoryTab {...view} /> },
    {
      id: 'events',
      label: (
        <>
          Events <span className="muted small">{formatCount(moment.tree.events.length)}</span>
        </>
      ),
      content: () => <EventsTab {...view} />,
    },
  ];
  return (
    <section className="card run-views" aria-label="What happened">
      <Scrubber moment={moment} isComplete={isComplete} />
      <Tabs label="Views of the run" tabs={tabs} />
    </section>
  );
}
