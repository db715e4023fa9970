import { type ReactNode, useState } from 'react';
import { type Answer, queryClient, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Table } from '../../parts/table.tsx';
import { showInfo } from '../../state/toasts.ts';
import { TrustCard } from './trust-card.tsx';

type Grant = Answer<'/v1/grants'>[number];

/** What may act without another question: trusted content, remembered approvals, credentials. */
export function RightsTab(): ReactNode {
  const grants = useApi('/v1/grants');
  const vault = useApi('/v1/vault');
  return (
    <div className="stack">
      <TrustCard />
      <Card title="Remembered approvals" flush>
        <QueryState query={grants}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="Nothing is remembered">
                <p>An approval with “remember” is listed here until it expires or you revoke it.</p>
              </EmptyState>
            ) : (
              <GrantTable grants={list} />
            )
          }
        </QueryState>
      </Card>
      <Card title="Credentials" flush>
        <QueryState query={vault}>
          {({ credentials: list }) =>
            list.length === 0 ? (
              <EmptyState title="The vault is empty">
                <p>
                  Add one in a terminal: <code>oka vault add</code>. Values are never shown here.
                </p>
              </EmptyState>
            ) : (
              <Table
                label="Credentials"
                rows={list}
                keyOf={({ id }) => id}
                columns={[
                  { title: 'Name', cell: ({ name }) => <b>{name}</b> },
                  { title: 'Provider', cell: ({ provider = '–' }) => provider },
                  { title: 'State', cell: ({ status }) => credentialState(status) },
                  {
                    title: 'Last used',
                    cell: ({ lastUsedAt }) =>
                      lastUsedAt === undefined ? 'never' : <RelativeTime at={lastUsedAt} />,
                  },
                ]}
              />
            )
          }
        </QueryState>
      </Card>
    </div>
  );
}

function credentialState(status: string): ReactNode {
  return status === 'active' ? (
    <StatusMark status="ok" label="Active" look="plain" />
  ) : (
    <StatusMark status="warning" label={status === 'revoked' ? 'Revoked' : 'Expired'} look="plain" />
  );
}

function GrantTable({ grants }: { readonly grants: readonly Grant[] }): ReactNode {
  const [revoked, setRevoked] = useState<Grant>();
  const revoke = useAction('delete', '/v1/grants/{id}', {
    onDone: () => {
      showInfo('Approval revoked');
      void queryClient.invalidateQueries({ queryKey: ['/v1/grants'] });
      setRevoked(undefined);
    },
  });
  return (
    <>
      <Table
        label="Remembered approvals"
        rows={grants}
        keyOf={({ id }) => id}
        columns={[
          { title: 'Covers', cell: ({ covers }) => covers },
          { title: 'Given', cell: ({ at, by }) => <GivenBy at={at} by={by} /> },
          {
            title: 'Expires',
            cell: ({ expiresAt }) => (expiresAt === undefined ? 'never' : <RelativeTime at={expiresAt} />),
          },
          {
            title: 'State',
            cell: ({ active, why }) => (
              <StatusMark
                status={active ? 'ok' : 'disabled'}
                label={active ? 'Active' : (why ?? 'No longer active')}
                look="plain"
              />
            ),
          },
          {
            title: 'Actions',
            cell: (grant) =>
              grant.active && (
                <Button look="danger" onClick={() => setRevoked(grant)}>
                  Revoke
                </Button>
              ),
          },
        ]}
      />
      {revoked !== undefined && (
        <Confirm
          title="Revoke this approval?"
          open
          action="Revoke"
          danger
          busy={revoke.isPending}
          onConfirm={() => revoke.mutate({ params: { path: { id: revoked.id } } })}
          onClose={() => setRevoked(undefined)}
        >
          <p>{revoked.covers}</p>
          <p className="muted">Such calls ask again from now on.</p>
        </Confirm>
      )}
    </>
  );
}

function GivenBy({ at, by }: { readonly at: number; readonly by: string }): ReactNode {
  return (
    <>
      <RelativeTime at={at} /> <span className="muted">by {by}</span>
    </>
  );
}
