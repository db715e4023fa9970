import { Tabs as BaseTabs } from '@base-ui/react/tabs';
import type { ReactNode } from 'react';
import { useUrlParam } from '../state/use-url-param.ts';

interface Tab {
  readonly id: string;
  readonly label: ReactNode;
  readonly content: () => ReactNode;
}

interface TabsProps {
  readonly label: string;
  readonly tabs: readonly Tab[];
  /** The name of the parameter in the address that keeps the chosen tab. */
  readonly param?: string;
}

/** Tabs whose choice is in the address. Only the chosen tab is rendered. */
export function Tabs({ label, tabs, param = 'tab' }: TabsProps): ReactNode {
  const [chosen, choose] = useUrlParam(param);
  const [first] = tabs;
  const active = tabs.find(({ id }) => id === chosen) ?? first;
  if (active === undefined) return null;
  return (
    <BaseTabs.Root value={active.id} onValueChange={(id) => choose(id === first?.id ? '' : String(id))}>
      <BaseTabs.List className="tabs-list" aria-label={label}>
        {tabs.map((tab) => (
          <BaseTabs.Tab key={tab.id} value={tab.id} className="tab">
            {tab.label}
          </BaseTabs.Tab>
        ))}
      </BaseTabs.List>
      <BaseTabs.Panel value={active.id}>{active.content()}</BaseTabs.Panel>
    </BaseTabs.Root>
  );
}
