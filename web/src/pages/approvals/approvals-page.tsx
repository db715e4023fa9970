import type { ReactNode } from 'react';
import { Page } from '../../frame/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { History } from './history.tsx';
import { Inbox } from './inbox.tsx';
import './approvals.css';

const TABS = [
  { id: 'waiting', label: 'Waiting for you', content: () => <Inbox /> },
  { id: 'history', label: 'History', content: () => <History /> },
];

/** What waits for the person, and who decided what before. */
export default function ApprovalsPage(): ReactNode {
  return (
    <Page title="Approvals" width="wide">
      <Tabs label="Approvals" tabs={TABS} />
    </Page>
  );
}
