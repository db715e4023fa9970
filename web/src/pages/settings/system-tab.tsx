import { type ReactNode, useState } from 'react';
import { useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Checkbox, TextField } from '../../parts/field.tsx';
import { formatBytes, formatCount, plural } from '../../parts/format.ts';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Table } from '../../parts/table.tsx';

/** Checks of the installation, the sandbox and the ledger, and backups. */
export function SystemTab(): ReactNode {
  return (
    <div className="stack">
      <Checks />
      <Workers />
      <Ledger />
      <Backup />
    </div>
  );
}

function Checks(): ReactNode {
  const [sandbox, setSandbox] = useState(false);
  const doctor = useApi('/v1/doctor', { params: { query: { sandbox } } }, { keepPrevious: true });
  return (
    <Card
      title="Installation and sandbox"
      flush
      actions={
        <Button busy={doctor.isFetching} onClick={() => (sandbox ? void doctor.refetch() : setSandbox(true))}>
          {doctor.isFetching && sandbox ? 'Trying to escape…' : 'Test the sandbox'}
        </Button>
      }
    >
      <QueryState query={doctor}>
        {({ checks, escapes }) => (
          <>
            <Table
              label="Checks"
              rows={checks}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Check',
                  cell: ({ name, ok, warning }) => (
                    <StatusMark
                      status={ok ? (warning ? 'warning' : 'ok') : 'error'}
                      label={name}
                      look="plain"
                    />
                  ),
                },
                { title: 'Detail', cell: ({ detail }) => detail },
              ]}
            />
            {escapes !== undefined && <Escapes escapes={escapes} />}
          </>
        )}
      </QueryState>
    </Card>
  );
}

interface EscapesProps {
  readonly escapes: readonly { readonly attempt: string; readonly held: boolean; readonly detail: string }[];
}

function Escapes({ escapes }: EscapesProps): ReactNode {
  const held = escapes.filter(({ held: did }) => did).length;
  return (
    <details className="settings-note" open={held < escapes.length}>
      <summary>
        <StatusMark
          status={held === escapes.length ? 'ok' : 'error'}
          label={`The sandbox held ${held} of ${escapes.length} attempts to escape`}
          look="plain"
        />
      </summary>
      <Table
        label="Attempts to escape"
        rows={escapes}
        keyOf={({ attempt }) => attempt}
        columns={[
          {
            title: 'Attempt',
            cell: ({ attempt, held: did }) => (
              <StatusMark status={did ? 'ok' : 'error'} label={attempt} look="plain" />
            ),
          },
          { title: 'Detail', cell: ({ detail }) => detail },
        ]}
      />
    </details>
  );
}

/** The workers of a cluster; nothing without one. */
function Workers(): ReactNode {
  const { data } = useApi('/v1/workers');
  if (data === undefined || (data.workers.length === 0 && data.problem === undefined)) return null;
  return (
    <Card title="Workers" flush>
      {data.problem !== undefined && (
        <p className="settings-note">
          <StatusMark status="error" label={data.problem.message} look="plain" />
        </p>
      )}
      <Table
        label="Workers"
        rows={data.workers}
        keyOf={({ id, url }) => `${id} ${url}`}
        columns={[
          {
            title: 'Worker',
            cell: ({ url, state }) => (
              <StatusMark status={state === 'alive' ? 'ok' : 'warning'} label={url} look="plain" />
            ),
          },
          { title: 'State', cell: ({ state }) => state },
          { title: 'Since', cell: ({ since }) => <RelativeTime at={since} /> },
          { title: 'Version', cell: ({ version }) => version },
        ]}
      />
    </Card>
  );
}

function Ledger(): ReactNode {
  const stats = useApi('/v1/ledger/stats');
  const [asked, setAsked] = useState<'new' | 'full'>();
  const verify = useApi(
    '/v1/ledger/verify',
    { params: { query: { full: asked === 'full' } } },
    { enabled: asked !== undefined },
  );
  const start = (how: 'new' | 'full'): void => {
    if (asked === how) void verify.refetch();
    else setAsked(how);
  };
  return (
    <Card
      title="Ledger"
      actions={
        <>
          <Button busy={verify.isFetching} onClick={() => start('new')}>
            Verify
          </Button>
          <Button busy={verify.isFetching} onClick={() => start('full')}>
            Verify everything
          </Button>
        </>
      }
    >
      <div className="stack">
        <QueryState query={stats}>
          {({ events, archived, streams, databaseBytes, mirrorBytes, artifactBytes }) => (
            <KeyValues
              pairs={[
                [
                  'Events',
                  `${formatCount(events)} in ${plural(streams, 'stream')}${archived === 0 ? '' : `, ${formatCount(archived)} archived`}`,
                ],
                ['Database', formatBytes(databaseBytes)],
                ['Mirror', formatBytes(mirrorBytes)],
                ['Artifacts', formatBytes(artifactBytes)],
              ]}
            />
          )}
        </QueryState>
        {asked !== undefined && (
          <QueryState query={verify}>
            {({ ok, summary, head, faults, notes, repair, signed }) => (
              <section aria-label="Verification">
                <KeyValues
                  pairs={[
                    ['Result', <StatusMark key="result" status={ok ? 'ok' : 'error'} />],
                    ['What was read', summary],
                    [
                      'Chain ends at',
                      <span key="head" className="mono settings-hash">
                        {head.hash}
                      </span>,
                    ],
                    [
                      'Signed',
                      signed === undefined ? 'no signature' : `up to event ${formatCount(signed.seq)}`,
                    ],
                    ...faults.map(
                      (fault, i) => [i === 0 ? 'Faults' : ` ${i}`, `${fault.where}: ${fault.what}`] as const,
                    ),
                    ...notes.map((note, i) => [i === 0 ? 'Notes' : `  ${i}`, note] as const),
                    ['Repair', repair],
                  ]}
                />
              </section>
            )}
          </QueryState>
        )}
      </div>
    </Card>
  );
}

function Backup(): ReactNode {
  const [file, setFile] = useState('');
  const [force, setForce] = useState(false);
  const create = useAction('post', '/v1/backups');
  return (
    <Card title="Backup">
      <form
        className="stack"
        onSubmit={(event) => {
          event.preventDefault();
          create.mutate({ body: { file: file.trim(), force } });
        }}
      >
        <TextField
          label="File"
          placeholder="oka-backup.tar"
          value={file}
          hint="On this machine; a relative path starts in the workspace. The key of the vault is never part of a backup."
          onChange={(event) => setFile(event.target.value)}
        />
        <Checkbox
          label="Replace an existing file"
          checked={force}
          onChange={(event) => setForce(event.target.checked)}
        />
        <div>
          <Button type="submit" busy={create.isPending} disabled={file.trim() === ''}>
            Write backup
          </Button>
        </div>
      </form>
      {create.data !== undefined && (
        <p role="status">
          Wrote <span className="mono">{create.data.file}</span>: {formatBytes(create.data.bytes)},{' '}
          {plural(create.data.files, 'file')}, up to event {formatCount(create.data.head.seq)}.
          {create.data.warnings.map((warning) => ` ${warning.where}: ${warning.what}`)}
        </p>
      )}
    </Card>
  );
}
