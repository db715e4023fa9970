import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../api/query.ts';
import { StatusMark } from '../../parts/status-mark.tsx';
import { type Column, Table } from '../../parts/table.tsx';

type GraphListItem = Answer<'/v1/graphs'>[number];

const COLUMNS: readonly Column<GraphListItem>[] = [
  {
    title: 'Graph',
    cell: ({ id, name, path, problem }) => (
      <div>
        <Link className="link" href={`/graphs/${encodeURIComponent(id)}`} title={path}>
          {id}
        </Link>
        {name !== id && <div className="muted small">{name}</div>}
        {problem !== undefined && (
          <div className="small">
            <StatusMark status="error" look="plain" label={problem} />
          </div>
        )}
      </div>
    ),
  },
  { title: 'Mode', cell: ({ mode }) => <span className="graphs-mode">{mode}</span> },
  { title: 'Version', number: true, cell: ({ version }) => version },
  { title: 'Nodes', number: true, cell: ({ nodes }) => nodes },
];

/** The graph files of the workspace. */
export function GraphTable({ graphs }: { readonly graphs: readonly GraphListItem[] }): ReactNode {
  return <Table label="Graphs" columns={COLUMNS} rows={graphs} keyOf={({ path }) => path} />;
}
