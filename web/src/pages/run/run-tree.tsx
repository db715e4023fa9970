import { type ReactNode, useCallback, useMemo } from 'react';
import { Link } from 'wouter';
import { type Answer, useApi } from '../../api/query.ts';
import { formatDuration, plural } from '../../parts/format.ts';
import { runName } from '../../parts/run-line.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import type { RunRecord, TreeRecord } from './record/types.ts';

const ROW_HEIGHT = 28;
const MAX_SHOWN_DEPTH = 6;

interface RunTreeProps {
  readonly answer: Answer<'/v1/runs/{run}'>;
  readonly tree: TreeRecord;
}

/** The run and its descendants, with the run that started it. */
export function RunTree({ answer: { run }, tree }: RunTreeProps): ReactNode {
  const runs = useMemo(() => inOrder(tree), [tree]);
  const row = useCallback(
    (one: RunRecord) => <TreeRow run={one} now={tree.at} isCurrent={one.id === tree.root.id} />,
    [tree],
  );
  return (
    <aside className="card run-tree" aria-label="Run tree">
      {run.parent !== undefined && <ParentLink id={run.parent} />}
      <VirtualList
        label={plural(runs.length, 'run')}
        items={runs}
        keyOf={({ id }) => id}
        row={row}
        rowHeight={ROW_HEIGHT}
        maxHeight="60vh"
      />
    </aside>
  );
}

/** Parents before their children. */
function inOrder({ root, runs }: TreeRecord): readonly RunRecord[] {
  const found: RunRecord[] = [];
  const visit = (run: RunRecord): void => {
    found.push(run);
    for (const id of run.children) {
      const child = runs.get(id);
      if (child !== undefined) visit(child);
    }
  };
  visit(root);
  return found;
}

interface TreeRowProps {
  readonly run: RunRecord;
  readonly now: number;
  readonly isCurrent: boolean;
}

function TreeRow({ run, now, isCurrent }: TreeRowProps): ReactNode {
  const name = run.goal === '' ? run.kind : run.goal;
  return (
    <Link
      href={`/runs/${run.id}`}
      className="run-tree-row"
      aria-current={isCurrent ? 'page' : undefined}
      title={name}
      style={{ paddingLeft: 8 + 14 * Math.min(run.depth, MAX_SHOWN_DEPTH) }}
    >
      <StatusMark status={run.status} look="shape" />
      <span className="ellipsis">{name}</span>
      <span className="small muted number">{formatDuration((run.endedAt ?? now) - run.startedAt)}</span>
    </Link>
  );
}

function ParentLink({ id }: { readonly id: string }): ReactNode {
  const { data } = useApi('/v1/runs/{run}', { params: { path: { run: id } } });
  return (
    <Link href={`/runs/${id}`} className="run-tree-row run-tree-parent">
      <span aria-hidden="true">↑</span>
      <span className="ellipsis">{data === undefined ? 'Parent run' : runName(data.run)}</span>
    </Link>
  );
}
