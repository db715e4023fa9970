import { type ReactNode, useMemo, useState } from 'react';
import { type Answer, useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/button.tsx';
import { plural } from '../../parts/format.ts';
import { Tabs } from '../../parts/tabs.tsx';
import { useActions } from '../../state/actions.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { AddFact } from './add-fact.tsx';
import { FactsTab } from './facts-tab.tsx';
import { PackTab } from './pack-tab.tsx';
import { ProceduresTab } from './procedures-tab.tsx';
import { ReviewTab } from './review-tab.tsx';
import './memory.css';

/** What Oka knows: facts, those that wait for a review, procedures, and what a run would be given of them. */
export default function MemoryPage(): ReactNode {
  const { data: stats } = useApi('/v1/memory');
  const [isAdding, setIsAdding] = useState(false);
  const [, setTab] = useUrlParam('tab');
  useActions(
    useMemo(
      () => [
        { id: 'memory.add', label: 'Add a fact', keywords: ['remember'], run: () => setIsAdding(true) },
        { id: 'memory.review', label: 'Review facts', keywords: ['quarantine'], run: () => setTab('review') },
        { id: 'memory.procedures', label: 'Show procedures', run: () => setTab('procedures') },
        {
          id: 'memory.pack',
          label: 'Preview the context pack for a goal',
          keywords: ['tokens'],
          run: () => setTab('pack'),
        },
      ],
      [setTab],
    ),
  );
  const waiting = stats?.facts.quarantined ?? 0;
  return (
    <Page
      title="Memory"
      width="wide"
      facts={<span role="status">{stats === undefined ? 'Loading…' : summary(stats)}</span>}
      actions={
        <Button look="primary" onClick={() => setIsAdding(true)}>
          Add a fact
        </Button>
      }
    >
      <Tabs
        label="Memory"
        tabs={[
          { id: 'facts', label: 'Facts', content: () => <FactsTab /> },
          {
            id: 'review',
            label: waiting === 0 ? 'Review' : `Review (${waiting})`,
            content: () => <ReviewTab />,
          },
          { id: 'procedures', label: 'Procedures', content: () => <ProceduresTab /> },
          { id: 'pack', label: 'Pack', content: () => <PackTab /> },
        ]}
      />
      {isAdding && <AddFact onClose={() => setIsAdding(false)} />}
    </Page>
  );
}

function summary({ facts, episodes }: Answer<'/v1/memory'>): string {
  const parts = [plural(facts.live, 'fact')];
  if (facts.quarantined > 0) parts.push(`${facts.quarantined} to review`);
  if (facts.superseded > 0) parts.push(`${facts.superseded} replaced`);
  if (facts.expired > 0) parts.push(`${facts.expired} expired`);
  return [...parts, plural(episodes, 'episode')].join(' · ');
}
