import { type ReactNode, useState } from 'react';
import { useAction } from '../../api/query.ts';
import { ErrorState } from '../../parts/error-state.tsx';
import { Checkbox, SelectField, TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { refreshServers } from './refresh.ts';

interface AddMcpServerProps {
  readonly onClose: () => void;
  readonly onAdded: (name: string) => void;
}

/** Declares a server: a program of this machine, or an address. */
export function AddMcpServer({ onClose, onAdded }: AddMcpServerProps): ReactNode {
  const [name, setName] = useState('');
  const [transport, setTransport] = useState('stdio');
  const [command, setCommand] = useState('');
  const [args, setArgs] = useState('');
  const [url, setUrl] = useState('');
  const [user, setUser] = useState(false);
  const add = useAction('post', '/v1/mcp-servers', {
    onProblem: () => undefined,
    onDone: () => {
      void refreshServers();
      onAdded(name.trim());
    },
  });
  const launch =
    transport === 'stdio'
      ? { transport: 'stdio' as const, command: command.trim(), args: linesOf(args), environment: {} }
      : { transport: 'http' as const, url: url.trim(), headers: {} };
  const isComplete = name.trim() !== '' && (transport === 'stdio' ? command : url).trim() !== '';
  return (
    <FormDialog
      title="Add MCP server"
      action="Add"
      busy={add.isPending}
      disabled={!isComplete}
      onSubmit={() => add.mutate({ body: { name: name.trim(), launch, user } })}
      onClose={onClose}
    >
      <TextField label="Name" value={name} onChange={(event) => setName(event.target.value)} />
      <SelectField
        label="Reached by"
        value={transport}
        options={[
          { value: 'stdio', label: 'A program of this machine' },
          { value: 'http', label: 'An address' },
        ]}
        onChange={(event) => setTransport(event.target.value)}
      />
      {transport === 'stdio' ? (
        <>
          <TextField
            label="Program"
            placeholder="npx"
            value={command}
            onChange={(event) => setCommand(event.target.value)}
          />
          <TextArea
            label="Arguments"
            hint="One per line"
            value={args}
            onChange={(event) => setArgs(event.target.value)}
          />
        </>
      ) : (
        <TextField
          label="Address"
          placeholder="http://127.0.0.1:3000/mcp"
          value={url}
          hint="Headers with credentials are set with: oka mcp add --header"
          onChange={(event) => setUrl(event.target.value)}
        />
      )}
      <Checkbox
        label="For all workspaces"
        checked={user}
        onChange={(event) => setUser(event.target.checked)}
      />
      {add.error !== null && <ErrorState error={add.error} />}
    </FormDialog>
  );
}

function linesOf(text: string): string[] {
  return text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}
