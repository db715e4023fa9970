import type { ReactNode } from 'react';
import { Button } from '../../parts/button.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useShortcuts } from '../../state/use-shortcuts.ts';
import { HeadMarks } from './head-marks.tsx';
import { rowKey, rowPath, type TreeRow } from './tree-rows.ts';
import { useTree } from './use-tree.ts';

interface ContextTreeProps {
  readonly chosen: string;
  readonly onChoose: (path: string) => void;
}

const ROW_HEIGHT = 32;
const INDENT = 16;

/** The tree: j and k choose a path, the arrows open and close its folder. */
export function ContextTree({ chosen, onChoose }: ContextTreeProps): ReactNode {
  const { rows, toggle, loadMore } = useTree(chosen);
  const index = rows.findIndex((row) => rowPath(row) === chosen);
  const current = rows[index];
  const move = (by: number): void => {
    const rest = by > 0 ? rows.slice(index + 1) : rows.slice(0, Math.max(index, 0)).toReversed();
    const next = rowPath(rest.find((row) => rowPath(row) !== undefined));
    if (next !== undefined) onChoose(next);
  };
  const setOpen = (isOpen: boolean): void => {
    if (current?.kind === 'child' && current.child.kind === 'directory' && current.isOpen !== isOpen)
      toggle(current.child.path);
  };
  useShortcuts({
    j: () => move(1),
    k: () => move(-1),
    ArrowRight: () => setOpen(true),
    ArrowLeft: () => setOpen(false),
    Escape: () => onChoose(''),
  });
  return (
    <VirtualList
      label="Tree"
      items={rows}
      keyOf={rowKey}
      row={(row) => <Row row={row} onToggle={toggle} onChoose={onChoose} onMore={loadMore} />}
      rowHeight={ROW_HEIGHT}
      maxHeight="calc(100vh - 250px)"
      selected={index}
    />
  );
}

interface RowProps {
  readonly row: TreeRow;
  readonly onToggle: (path: string) => void;
  readonly onChoose: (path: string) => void;
  readonly onMore: (path: string, cursor: string) => void;
}

function Row({ row, onToggle, onChoose, onMore }: RowProps): ReactNode {
  const style = { paddingLeft: 8 + row.depth * INDENT };
  if (row.kind === 'root')
    return (
      <div className="tree-row" style={style}>
        <span className="tree-space" />
        <button type="button" className="tree-name ellipsis" onClick={() => onChoose('.')}>
          ./ <span className="muted">the workspace</span>
        </button>
        <span className="tree-heads">
          <HeadMarks heads={row.heads} />
        </span>
      </div>
    );
  if (row.kind === 'note')
    return (
      <div className="tree-row muted" style={style}>
        <span className="tree-space" />
        {row.text}
      </div>
    );
  if (row.kind === 'more')
    return (
      <div className="tree-row" style={style}>
        <span className="tree-space" />
        <Button look="quiet" onClick={() => onMore(row.path, row.cursor)}>
          Show more
        </Button>
      </div>
    );
  const { child, isOpen } = row;
  return (
    <div className="tree-row" style={style}>
      {child.kind === 'directory' ? (
        <button
          type="button"
          className="tree-open"
          aria-expanded={isOpen}
          aria-label={`${isOpen ? 'Close' : 'Open'} ${child.path}`}
          onClick={() => onToggle(child.path)}
        >
          <svg viewBox="0 0 10 10" aria-hidden="true">
            <path d={isOpen ? 'M1 3l4 4 4-4' : 'M3 1l4 4-4 4'} />
          </svg>
        </button>
      ) : (
        <span className="tree-space" />
      )}
      <button type="button" className="tree-name ellipsis" onClick={() => onChoose(child.path)}>
        {child.name}
        {child.kind === 'directory' && '/'}
        {child.kind === 'link' && <span className="muted"> link</span>}
      </button>
      <span className="tree-heads">
        <HeadMarks heads={child.heads} />
        {child.staleBelow > 0 && !isOpen && (
          <span className="small tree-below">{child.staleBelow} stale below</span>
        )}
      </span>
    </div>
  );
}
