import { type ReactNode, useState } from 'react';
import { type Answer, queryClient, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { CodeView } from '../../parts/code-view.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { TextArea, TextField } from '../../parts/field.tsx';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { KeyValues } from '../../parts/key-values.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Table } from '../../parts/table.tsx';
import { useUrlParam } from '../../state/use-url-param.ts';

type Agent = Answer<'/v1/agents'>[number];

/** The agents of the workspace, and who they are. */
export function AgentsTab(): ReactNode {
  const agents = useApi('/v1/agents');
  const [chosen, choose] = useUrlParam('agent');
  const [isCreating, setCreating] = useState(false);
  return (
    <div className="stack">
      <Card
        title="Agents"
        flush
        actions={
          <Button look="primary" onClick={() => setCreating(true)}>
            Create agent
          </Button>
        }
      >
        <QueryState query={agents}>
          {(list) => (
            <Table
              label="Agents"
              rows={list}
              keyOf={({ name }) => name}
              columns={[
                {
                  title: 'Name',
                  cell: ({ name }) => (
                    <button type="button" className="link-button" onClick={() => choose(name)}>
                      {name}
                    </button>
                  ),
                },
                { title: 'Description', cell: ({ description = '' }) => description },
                { title: 'Model', cell: modelOf },
                { title: 'File', cell: ({ path }) => <span className="mono">{path ?? 'built in'}</span> },
                {
                  title: 'State',
                  cell: ({ valid }) => (
                    <StatusMark
                      status={valid ? 'ok' : 'error'}
                      label={valid ? 'Valid' : 'Invalid'}
                      look="plain"
                    />
                  ),
                },
              ]}
            />
          )}
        </QueryState>
      </Card>
      {chosen !== '' && <AgentCard name={chosen} />}
      {isCreating && <CreateAgent onClose={() => setCreating(false)} onCreated={choose} />}
    </div>
  );
}

function modelOf({ provider, model, script }: Agent): ReactNode {
  if (script !== undefined) return 'scripted';
  return model === undefined ? <span className="muted">default</span> : `${provider ?? ''}/${model}`;
}

function AgentCard({ name }: { readonly name: string }): ReactNode {
  const query = useApi('/v1/agents/{name}', { params: { path: { name } } });
  return (
    <Card title={name}>
      <QueryState query={query}>
        {(agent) => (
          <div className="stack">
            <KeyValues
              pairs={[
                ['Answered by', agent.answeredBy ?? 'no model: known tasks only'],
                ['Fallback', agent.fallback?.join(', ')],
                ['Temperature', agent.temperature],
                ['Tools', agent.tools?.join(', ')],
                ['Role', agent.contextRole],
                [
                  'Budgets',
                  Object.entries(agent.budgets ?? {})
                    .map(([what, limit]) => `${what} ${limit}`)
                    .join(', '),
                ],
              ]}
            />
            {agent.problems.map(({ code, message, next }) => (
              <p key={`${code} ${message}`}>
                <StatusMark status="error" label={message} look="plain" /> {next}
              </p>
            ))}
            {agent.persona !== '' && <CodeView label="Persona" code={agent.persona} wrap />}
          </div>
        )}
      </QueryState>
    </Card>
  );
}

interface CreateAgentProps {
  readonly onClose: () => void;
  readonly onCreated: (name: string) => void;
}

function CreateAgent({ onClose, onCreated }: CreateAgentProps): ReactNode {
  const [name, setName] = useState('');
  const [description, setDescription] = useState('');
  const [persona, setPersona] = useState('');
  const create = useAction('post', '/v1/agents', {
    onProblem: () => undefined,
    onDone: (agent) => {
      void queryClient.invalidateQueries({ queryKey: ['/v1/agents'] });
      onCreated(agent.name);
      onClose();
    },
  });
  return (
    <FormDialog
      title="Create agent"
      action="Create"
      busy={create.isPending}
      disabled={name.trim() === ''}
      onSubmit={() =>
        create.mutate({
          body: {
            name: name.trim(),
            ...(description.trim() !== '' && { description: description.trim() }),
            ...(persona.trim() !== '' && { persona: persona.trim() }),
          },
        })
      }
      onClose={onClose}
    >
      <TextField
        label="Name"
        value={name}
        hint="Letters, digits and hyphens. Mention it in chats as @name."
        onChange={(event) => setName(event.target.value)}
      />
      <TextField
        label="Description"
        value={description}
        onChange={(event) => setDescription(event.target.value)}
      />
      <TextArea
        label="Persona"
        rows={5}
        value={persona}
        hint="What it is good at and how it should answer. It uses the default model; change that in its file."
        onChange={(event) => setPersona(event.target.value)}
      />
      {create.error !== null && <ErrorState error={create.error} />}
    </FormDialog>
  );
}
