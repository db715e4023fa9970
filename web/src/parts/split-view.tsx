import { type ReactNode, useEffect, useRef } from 'react';
import { Button } from './button.tsx';
import { Icon } from './icon.tsx';

interface SplitViewProps {
  readonly list: ReactNode;
  /** What the panel shows, for screen readers. */
  readonly label: string;
  /** The chosen item; missing if none is chosen. */
  readonly panel?: ReactNode;
  readonly onClose: () => void;
}

/** A list and, beside it, the item that is chosen in it. On a narrow screen the item is shown instead of the list. */
export function SplitView({ list, label, panel, onClose }: SplitViewProps): ReactNode {
  const isOpen = panel !== undefined;
  const place = useRef<HTMLDivElement>(null);
  const shown = useRef<HTMLElement>(null);
  // Where the panel replaces the list, the keyboard continues in the panel.
  useEffect(() => {
    if (isOpen && place.current?.offsetParent === null) shown.current?.focus();
  }, [isOpen]);
  return (
    <div className={`split ${isOpen ? 'split-open' : ''}`}>
      <div ref={place} className="split-list">
        {list}
      </div>
      {isOpen && (
        <section ref={shown} className="split-panel card" aria-label={label} tabIndex={-1}>
          <div className="split-close">
            <Button look="quiet" className="button-icon" aria-label="Close" title="Close" onClick={onClose}>
              <Icon name="close" />
            </Button>
          </div>
          {panel}
        </section>
      )}
    </div>
  );
}
