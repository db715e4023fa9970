import type { ReactNode } from 'react';
import type { Answer } from '../../api/query.ts';
import { formatCount, formatDuration } from '../../parts/format.ts';
import { Table } from '../../parts/table.tsx';

type Evidence = NonNullable<Answer<'/v1/procedures/{procedure}/explain'>['evidence']>;
type Figures = Evidence['with'];

const ROWS: readonly { readonly name: string; readonly of: (figures: Figures) => string }[] = [
  { name: 'Executions', of: ({ executions }) => formatCount(executions) },
  { name: 'Median time', of: ({ medianMs }) => (medianMs === null ? '–' : formatDuration(medianMs)) },
  { name: 'Rejected results', of: ({ rejections }) => formatCount(rejections) },
  { name: 'Approvals', of: ({ approvals }) => formatCount(approvals) },
  { name: 'Denials', of: ({ refusals }) => formatCount(refusals) },
];

/** How runs went with the procedure and without it. */
export function ProcedureEvidence({ evidence }: { readonly evidence: Evidence }): ReactNode {
  return (
    <section>
      <h3>Evidence</h3>
      <Table
        label="Evidence"
        rows={ROWS}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Runs', cell: ({ name }) => name },
          { title: 'With it', number: true, cell: ({ of }) => of(evidence.with) },
          { title: 'Without', number: true, cell: ({ of }) => of(evidence.without) },
        ]}
      />
    </section>
  );
}
