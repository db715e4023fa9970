import { type ReactNode, useState } from 'react';
import { type Answer, queryClient, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CodeView } from '../../parts/code-view.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { showInfo } from '../../state/toasts.ts';

type Trust = Answer<'/v1/trust'>;

const STATES: Readonly<Record<string, readonly [status: string, label: string]>> = {
  approved: ['ok', 'Approved'],
  new: ['warning', 'New: does not act yet'],
  changed: ['warning', 'Changed: does not act'],
};

/** What acts in this workspace. Approving covers exactly what is shown. */
export function TrustCard(): ReactNode {
  const trust = useApi('/v1/trust');
  return (
    <Card title="Trust in this workspace">
      <QueryState query={trust}>{(shown) => <Items trust={shown} />}</QueryState>
    </Card>
  );
}

function Items({ trust }: { readonly trust: Trust }): ReactNode {
  const [isRevoking, setRevoking] = useState(false);
  const refresh = (): void => {
    void queryClient.invalidateQueries({ queryKey: ['/v1/trust'] });
  };
  const approve = useAction('post', '/v1/trust', {
    onDone: ({ notice }) => {
      showInfo(notice ?? 'Approved');
      refresh();
    },
  });
  const revoke = useAction('post', '/v1/trust/revoke', {
    onDone: () => {
      showInfo('The workspace is no longer trusted');
      setRevoking(false);
      refresh();
    },
  });
  const isComplete = trust.trusted && trust.items.every(({ state }) => state === 'approved');
  return (
    <div className="stack">
      <p>
        <StatusMark
          status={isComplete ? 'ok' : 'warning'}
          label={trust.trusted ? 'Trusted' : 'Not trusted'}
          look="plain"
        />{' '}
        {trust.trustedAt !== undefined && (
          <span className="muted">
            since <RelativeTime at={trust.trustedAt} />.{' '}
          </span>
        )}
        {trust.items.length === 0 ? 'Nothing in it acts by itself.' : `It contains ${trust.summary}.`}
      </p>
      {trust.items.map(({ kind, name, state, text, diff }) => (
        <details key={`${kind} ${name}`}>
          <summary>
            {kind} <b>{name}</b>{' '}
            <StatusMark
              status={STATES[state]?.[0] ?? 'warning'}
              label={STATES[state]?.[1] ?? state}
              look="plain"
            />
          </summary>
          <CodeView label={`${kind} ${name}`} code={diff ?? text} wrap />
        </details>
      ))}
      {trust.removed.map(({ kind, name }) => (
        <p key={`${kind} ${name}`} className="muted">
          {kind} {name} no longer exists.
        </p>
      ))}
      <div className="row">
        {!isComplete && (
          <Button
            look="primary"
            busy={approve.isPending}
            onClick={() => approve.mutate({ body: { digest: trust.digest } })}
          >
            Trust what is shown
          </Button>
        )}
        {trust.trusted && (
          <Button look="danger" onClick={() => setRevoking(true)}>
            Revoke trust
          </Button>
        )}
      </div>
      <Confirm
        title="Revoke the trust in this workspace?"
        open={isRevoking}
        action="Revoke"
        danger
        busy={revoke.isPending}
        onConfirm={() => revoke.mutate({ body: { path: trust.workspace } })}
        onClose={() => setRevoking(false)}
      >
        <p>Hooks, MCP servers, schedules and project settings stop acting. Runs and memory stay.</p>
      </Confirm>
    </div>
  );
}
