import { Dialog } from '@base-ui/react/dialog';
import { Command } from 'cmdk';
import type { ReactNode } from 'react';
import { useLocation } from 'wouter';
import { Icon } from '../parts/icon.tsx';
import { type Action, useOfferedActions } from '../state/actions.ts';
import { setTheme } from '../state/theme.ts';
import type { PageEntry } from './page-entry.ts';
import { paletteOpen } from './palette-state.ts';

const THEME_ACTIONS: readonly Action[] = (['light', 'dark', 'system'] as const).map((theme) => ({
  id: `theme.${theme}`,
  label: `Use the ${theme === 'system' ? "system's" : theme} theme`,
  keywords: ['appearance', 'colour', 'mode'],
  run: () => setTheme(theme),
}));

interface PaletteProps {
  readonly pages: readonly PageEntry[];
}

/** Every page and action by name. */
export default function Palette({ pages }: PaletteProps): ReactNode {
  const close = (): void => paletteOpen.set(false);
  return (
    <Dialog.Root open onOpenChange={(isOpen) => !isOpen && close()}>
      <Dialog.Portal>
        <Dialog.Backdrop className="dialog-backdrop" />
        <Dialog.Popup className="dialog palette" aria-label="Commands">
          <PaletteCommands pages={pages} close={close} />
        </Dialog.Popup>
      </Dialog.Portal>
    </Dialog.Root>
  );
}

function PaletteCommands({ pages, close }: PaletteProps & { readonly close: () => void }): ReactNode {
  const [, navigate] = useLocation();
  const actions = useOfferedActions();
  const choose = (run: () => void) => () => {
    close();
    run();
  };
  return (
    <Command label="Commands" loop>
      <Command.Input placeholder="Search or run a command" aria-label="Search or run a command" />
      <Command.List>
        <Command.Empty>Nothing has that name.</Command.Empty>
        {actions.length > 0 && <ActionGroup heading="On this page" actions={actions} choose={choose} />}
        <Command.Group heading="Go to">
          {pages
            .filter(({ within }) => within === undefined)
            .map(({ path, title, icon }) => (
              <Command.Item key={path} value={`go ${title}`} onSelect={choose(() => navigate(path))}>
                <Icon name={icon} />
                {title}
              </Command.Item>
            ))}
        </Command.Group>
        <ActionGroup heading="Appearance" actions={THEME_ACTIONS} choose={choose} />
      </Command.List>
    </Command>
  );
}

interface ActionGroupProps {
  readonly heading: string;
  readonly actions: readonly Action[];
  readonly choose: (run: () => void) => () => void;
}

function ActionGroup({ heading, actions, choose }: ActionGroupProps): ReactNode {
  return (
    <Command.Group heading={heading}>
      {actions.map((action) => (
        <Command.Item
          key={action.id}
          value={`${action.label} ${action.id}`}
          keywords={[...(action.keywords ?? [])]}
          onSelect={choose(action.run)}
        >
          {action.label}
          {action.shortcut !== undefined && <kbd className="row-end">{action.shortcut}</kbd>}
        </Command.Item>
      ))}
    </Command.Group>
  );
}
