import { type ReactNode, useMemo } from 'react';
import { Page } from '../../frame/page.tsx';
import { Tabs } from '../../parts/tabs.tsx';
import { useActions } from '../../state/actions.ts';
import { useUrlParam } from '../../state/use-url-param.ts';
import { AgentsTab } from './agents-tab.tsx';
import { McpTab } from './mcp-tab.tsx';
import { MetricsTab } from './metrics-tab.tsx';
import { ModelsTab } from './models-tab.tsx';
import { PolicyTab } from './policy-tab.tsx';
import { RightsTab } from './rights-tab.tsx';
import { SystemTab } from './system-tab.tsx';
import './settings.css';

const TABS = [
  { id: 'models', label: 'Models', content: () => <ModelsTab /> },
  { id: 'agents', label: 'Agents', content: () => <AgentsTab /> },
  { id: 'mcp', label: 'MCP servers', content: () => <McpTab /> },
  { id: 'policy', label: 'Policy', content: () => <PolicyTab /> },
  { id: 'rights', label: 'Trust and grants', content: () => <RightsTab /> },
  { id: 'system', label: 'System', content: () => <SystemTab /> },
  { id: 'metrics', label: 'Metrics', content: () => <MetricsTab /> },
] as const;

/** Models, agents, servers, rights and the state of the installation. */
export default function SettingsPage(): ReactNode {
  const [, choose] = useUrlParam('tab');
  useActions(
    useMemo(
      () =>
        TABS.map(({ id, label }) => ({
          id: `settings.${id}`,
          label: `Settings: ${label}`,
          run: () => choose(id === 'models' ? '' : id),
        })),
      [choose],
    ),
  );
  return (
    <Page title="Settings" width="wide">
      <div className="settings">
        <Tabs label="Settings" tabs={TABS} />
      </div>
    </Page>
  );
}
