import type { ReactNode } from 'react';
import { type Answer, useApi } from '../../api/query.ts';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Table } from '../../parts/table.tsx';
import { Decision } from './decision.tsx';
import { TryCall } from './try-call.tsx';

type Policy = Answer<'/v1/policy'>;

const FILE_STATES: Readonly<Record<string, readonly [status: string, label: string]>> = {
  in_force: ['ok', 'In force'],
  absent: ['disabled', 'Not there'],
  not_trusted: ['warning', 'Not read: the workspace is not trusted'],
  invalid: ['error', 'Invalid'],
  draft: ['disabled', 'Draft'],
};

/** The rules in force, and what they decide about a call. */
export function PolicyTab(): ReactNode {
  const policy = useApi('/v1/policy');
  return (
    <div className="stack">
      <TryCall />
      <QueryState query={policy}>
        {(shown) => (
          <>
            <Card title="Rules" flush>
              <Rules policy={shown} />
            </Card>
            <Card title="Defaults where no rule matches" flush>
              <Table
                label="Defaults"
                rows={shown.defaults}
                keyOf={({ match }) => match}
                columns={[
                  { title: 'Calls', cell: ({ match }) => match },
                  { title: 'Decision', cell: ({ decision }) => <Decision decision={decision} /> },
                  { title: 'Why', cell: ({ why }) => why },
                ]}
              />
            </Card>
            <Card title="Files" flush>
              <Table
                label="Policy files"
                rows={shown.files}
                keyOf={({ path }) => path}
                columns={[
                  { title: 'File', cell: ({ path }) => <span className="mono">{path}</span> },
                  { title: 'Of', cell: ({ owner }) => (owner === 'user' ? 'you' : 'the project') },
                  {
                    title: 'State',
                    cell: ({ status }) => {
                      const [look, label] = FILE_STATES[status] ?? ['warning', status];
                      return <StatusMark status={look} label={label} look="plain" />;
                    },
                  },
                ]}
              />
            </Card>
          </>
        )}
      </QueryState>
    </div>
  );
}

function Rules({ policy }: { readonly policy: Policy }): ReactNode {
  if (policy.rules.length === 0)
    return (
      <EmptyState title="No rules of your own">
        <p>The defaults below decide. Write rules into a policy file; a project can only tighten yours.</p>
      </EmptyState>
    );
  return (
    <Table
      label="Rules"
      rows={policy.rules}
      keyOf={({ rule, owner }) => `${owner} ${rule}`}
      columns={[
        { title: 'Rule', cell: ({ rule }) => <span className="mono">{rule}</span> },
        { title: 'Calls', cell: ({ match }) => match },
        { title: 'Decision', cell: ({ decision }) => <Decision decision={decision} /> },
        {
          title: 'Why',
          cell: ({ why, effective, warnings }) => (
            <>
              {why}
              {!effective && <div className="small muted">Changes no decision</div>}
              {warnings.map((warning) => (
                <div key={warning}>
                  <StatusMark status="warning" label={warning} look="plain" />
                </div>
              ))}
            </>
          ),
        },
      ]}
    />
  );
}
