import { useVirtualizer } from '@tanstack/react-virtual';
import { type ReactNode, useEffect, useRef } from 'react';

interface VirtualListProps<Item> {
  readonly label: string;
  readonly items: readonly Item[];
  readonly keyOf: (item: Item) => string;
  readonly row: (item: Item, index: number) => ReactNode;
  readonly rowHeight: number;
  /** The largest height in CSS; longer lists scroll inside. */
  readonly maxHeight: string;
  readonly selected?: number | undefined;
  /** Called when the last rows come into view. */
  readonly onNearEnd?: (() => void) | undefined;
}

const ROWS_BEFORE_END = 40;

/** A list that renders only the visible rows, all of the same height. */
export function VirtualList<Item>(props: VirtualListProps<Item>): ReactNode {
  const { items, keyOf, row, rowHeight, selected, onNearEnd } = props;
  const frame = useRef<HTMLDivElement>(null);
  const list = useVirtualizer({
    count: items.length,
    getScrollElement: () => frame.current,
    estimateSize: () => rowHeight,
    getItemKey: (index) => keyOf(items[index] as Item),
    overscan: 12,
  });
  const rows = list.getVirtualItems();
  const last = rows.at(-1)?.index ?? 0;
  const isNearEnd = items.length > 0 && last >= items.length - ROWS_BEFORE_END;
  // biome-ignore lint/correctness/useExhaustiveDependencies: more items may leave the end near.
  useEffect(() => {
    if (isNearEnd) onNearEnd?.();
  }, [isNearEnd, items.length, onNearEnd]);
  useEffect(() => {
    if (selected !== undefined && selected >= 0) list.scrollToIndex(selected);
  }, [selected, list]);
  return (
    // biome-ignore lint/a11y/useSemanticElements: rows are placed absolutely, which ul and li do not help with.
    <div
      ref={frame}
      className="virtual-list"
      role="list"
      aria-label={props.label}
      style={{ maxHeight: props.maxHeight }}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard.
      tabIndex={0}
    >
      <div role="presentation" style={{ height: list.getTotalSize() }}>
        {rows.map(({ key, index, start }) => (
          // biome-ignore lint/a11y/useSemanticElements: see above.
          <div
            key={key}
            role="listitem"
            aria-setsize={items.length}
            aria-posinset={index + 1}
            data-selected={index === selected}
            className="virtual-row"
            style={{ height: rowHeight, transform: `translateY(${start}px)` }}
          >
            {row(items[index] as Item, index)}
          </div>
        ))}
      </div>
    </div>
  );
}
