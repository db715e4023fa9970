import { Menu as BaseMenu } from '@base-ui/react/menu';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';

export interface MenuItem {
  readonly label: string;
  readonly onSelect: () => void;
  readonly danger?: boolean;
  readonly disabled?: boolean;
}

interface MenuProps {
  readonly label: string;
  readonly items: readonly MenuItem[];
  /** Shown on the button instead of three dots. */
  readonly button?: ReactNode;
}

export function Menu({ label, items, button }: MenuProps): ReactNode {
  return (
    <BaseMenu.Root>
      <BaseMenu.Trigger className="button button-icon" aria-label={label}>
        {button ?? <Icon name="more" />}
      </BaseMenu.Trigger>
      <BaseMenu.Portal>
        <BaseMenu.Positioner className="menu-positioner" align="end" sideOffset={4}>
          <BaseMenu.Popup className="menu">
            {items.map((item) => (
              <BaseMenu.Item
                key={item.label}
                className={`menu-item ${item.danger ? 'menu-item-danger' : ''}`}
                disabled={item.disabled ?? false}
                onClick={item.onSelect}
              >
                {item.label}
              </BaseMenu.Item>
            ))}
          </BaseMenu.Popup>
        </BaseMenu.Positioner>
      </BaseMenu.Portal>
    </BaseMenu.Root>
  );
}
