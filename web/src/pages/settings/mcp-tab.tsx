import { type ReactNode, useState } from 'react';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { Menu } from '../../parts/menu.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Table } from '../../parts/table.tsx';
import { showInfo } from '../../state/toasts.ts';
import { AddMcpServer } from './add-mcp-server.tsx';
import { McpTest } from './mcp-test.tsx';
import { refreshServers } from './refresh.ts';

type Server = Answer<'/v1/mcp-servers'>[number];

const STATES: Readonly<Record<Server['status'], readonly [status: string, label: string]>> = {
  approved: ['ok', 'Approved'],
  new: ['warning', 'Not approved'],
  changed: ['warning', 'Changed since approval'],
  off: ['disabled', 'Off'],
};

/** MCP servers: add, connect, approve, remove. */
export function McpTab(): ReactNode {
  const servers = useApi('/v1/mcp-servers');
  const [isAdding, setAdding] = useState(false);
  const [tested, setTested] = useState<string>();
  return (
    <div className="stack">
      <Card
        title="MCP servers"
        flush
        actions={
          <Button look="primary" onClick={() => setAdding(true)}>
            Add server
          </Button>
        }
      >
        <QueryState query={servers}>
          {(list) =>
            list.length === 0 ? (
              <EmptyState title="No MCP server">
                <p>Servers give runs more tools. Each is used only after you approved it.</p>
              </EmptyState>
            ) : (
              <ServerTable servers={list} onTest={setTested} />
            )
          }
        </QueryState>
      </Card>
      {tested !== undefined && <McpTest key={tested} name={tested} onClose={() => setTested(undefined)} />}
      {isAdding && (
        <AddMcpServer
          onClose={() => setAdding(false)}
          onAdded={(name) => {
            setAdding(false);
            setTested(name);
          }}
        />
      )}
    </div>
  );
}

interface ServerTableProps {
  readonly servers: readonly Server[];
  readonly onTest: (name: string) => void;
}

function ServerTable({ servers, onTest }: ServerTableProps): ReactNode {
  const [removed, setRemoved] = useState<string>();
  return (
    <>
      <Table
        label="MCP servers"
        rows={servers}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Name', cell: ({ name }) => <b>{name}</b> },
          {
            title: 'State',
            cell: ({ status, problem }) => (
              <>
                <StatusMark status={STATES[status][0]} label={STATES[status][1]} look="plain" />
                {problem !== undefined && <div className="small muted">{problem}</div>}
              </>
            ),
          },
          { title: 'Reached by', cell: ({ target = '–' }) => <span className="mono">{target}</span> },
          { title: 'From', cell: ({ from }) => (from === 'user' ? 'your configuration' : 'this workspace') },
          { title: 'Tools', number: true, cell: ({ tools }) => tools.length },
          {
            title: 'Actions',
            cell: ({ name }) => (
              <span className="row">
                <Button onClick={() => onTest(name)}>Connect</Button>
                <Menu
                  label={`More actions for ${name}`}
                  items={[{ label: 'Remove…', danger: true, onSelect: () => setRemoved(name) }]}
                />
              </span>
            ),
          },
        ]}
      />
      {removed !== undefined && <RemoveServer name={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

function RemoveServer({ name, onClose }: { readonly name: string; readonly onClose: () => void }): ReactNode {
  const remove = useAction('delete', '/v1/mcp-servers/{name}', {
    onDone: ({ file }) => {
      showInfo(`Removed ${name} from ${file}`);
      void refreshServers();
      onClose();
    },
  });
  return (
    <Confirm
      title={`Remove ${name}?`}
      open
      action="Remove"
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { path: { name } } })}
      onClose={onClose}
    >
      <p>Its entry and its approval are removed. Runs can no longer use its tools.</p>
    </Confirm>
  );
}
