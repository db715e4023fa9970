import { type ReactNode, useEffect } from 'react';
import { useAction } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { plural } from '../../parts/format.ts';
import { showInfo } from '../../state/toasts.ts';
import { refreshServers } from './refresh.ts';

interface McpTestProps {
  readonly name: string;
  readonly onClose: () => void;
}

/** Connects to a server and shows its tools. The approval is bound to exactly what is shown. */
export function McpTest({ name, onClose }: McpTestProps): ReactNode {
  const connect = useAction('post', '/v1/mcp-servers/{name}/test', { onProblem: () => undefined });
  const approve = useAction('post', '/v1/mcp-servers/{name}/test', {
    onDone: () => {
      showInfo(`${name} is approved`);
      void refreshServers();
      onClose();
    },
  });
  const params = { path: { name } };
  const { mutate } = connect;
  useEffect(() => mutate({ params: { path: { name } }, body: {} }), [mutate, name]);
  const found = connect.data;
  return (
    <Card
      title={`Connection to ${name}`}
      actions={
        <>
          {found !== undefined && found.server.status !== 'approved' && (
            <Button
              look="primary"
              busy={approve.isPending}
              onClick={() =>
                approve.mutate({ params, body: { approve: { hash: found.hash, trustHints: false } } })
              }
            >
              Approve
            </Button>
          )}
          <Button look="quiet" onClick={onClose}>
            Close
          </Button>
        </>
      }
    >
      {connect.isPending && <p role="status">Connecting…</p>}
      {connect.error !== null && <ErrorState error={connect.error} />}
      {found !== undefined && (
        <div className="stack">
          <p className="muted">
            {plural(found.tools.length, 'tool')}. The descriptions are the server's own words.
          </p>
          {found.changes.length > 0 && (
            <ul>
              {found.changes.map((change) => (
                <li key={change}>{change}</li>
              ))}
            </ul>
          )}
          <ul className="settings-tools">
            {found.tools.map((tool) => (
              <li key={tool.name}>
                <b className="mono">{tool.name}</b> {tool.description}
              </li>
            ))}
          </ul>
        </div>
      )}
    </Card>
  );
}
