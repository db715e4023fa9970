import { type ReactNode, useState } from 'react';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { ErrorState } from '../../parts/error-state.tsx';
import { Checkbox, SelectField, TextField } from '../../parts/field.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { ModelTest } from './model-test.tsx';
import { refreshModels } from './refresh.ts';

type Provider = Answer<'/v1/model-providers'>[number];

/** Adds a model: provider, address, key, model, and a real test call before anything is stored. */
export function AddModel({ onClose }: { readonly onClose: () => void }): ReactNode {
  const providers = useApi('/v1/model-providers');
  return (
    <Dialog title="Add model" open onClose={onClose}>
      <QueryState query={providers}>{(list) => <AddForm providers={list} onClose={onClose} />}</QueryState>
    </Dialog>
  );
}

interface AddFormProps {
  readonly providers: readonly Provider[];
  readonly onClose: () => void;
}

function AddForm({ providers, onClose }: AddFormProps): ReactNode {
  const [id, setId] = useState((providers.find(isReady) ?? providers[0])?.id ?? '');
  const [url, setUrl] = useState('');
  const [key, setKey] = useState('');
  const [model, setModel] = useState('');
  const [makeDefault, setMakeDefault] = useState(false);
  const provider = providers.find((one) => one.id === id);
  // Problems are shown in the form, because the next step is to change it.
  const offered = useAction('post', '/v1/model-providers/{provider}/models', { onProblem: () => undefined });
  const add = useAction('post', '/v1/models', {
    onDone: () => void refreshModels(),
    onProblem: () => undefined,
  });
  const access = {
    ...(url.trim() !== '' && { url: url.trim() }),
    ...(key !== '' && { key: { value: key } }),
  };
  if (add.data !== undefined) return <Added answer={add.data} onClose={onClose} />;
  return (
    <form
      className="stack"
      onSubmit={(event) => {
        event.preventDefault();
        add.mutate({ body: { provider: id, ...access, model: model.trim(), test: true, makeDefault } });
      }}
    >
      <SelectField
        label="Provider"
        value={id}
        options={providers.map((one) => ({ value: one.id, label: `${one.title}${readiness(one)}` }))}
        onChange={(event) => {
          setId(event.target.value);
          setModel('');
          offered.reset();
          add.reset();
        }}
      />
      <TextField
        label="Address"
        placeholder={provider?.url ?? 'http://127.0.0.1:8080/v1'}
        value={url}
        required={provider?.url === undefined}
        hint={provider?.url === undefined ? 'The base URL of the server' : 'Empty: the usual address'}
        onChange={(event) => setUrl(event.target.value)}
      />
      <TextField
        label="API key"
        type="password"
        autoComplete="off"
        value={key}
        hint={keyHint(provider)}
        onChange={(event) => setKey(event.target.value)}
      />
      <div className="settings-model">
        <TextField
          label="Model"
          list="offered-models"
          required
          value={model}
          hint={offered.data === undefined ? 'Type a name, or list what the provider offers' : undefined}
          onChange={(event) => setModel(event.target.value)}
        />
        <Button
          busy={offered.isPending}
          onClick={() => offered.mutate({ params: { path: { provider: id } }, body: access })}
        >
          List models
        </Button>
      </div>
      <datalist id="offered-models">
        {offered.data?.map((one) => (
          <option key={one.id} value={one.id} />
        ))}
      </datalist>
      {offered.data !== undefined && (
        <SelectField
          label={`Offered by the provider (${offered.data.length})`}
          value={model}
          options={[
            { value: '', label: 'Choose…' },
            ...offered.data.map((one) => ({ value: one.id, label: one.id })),
          ]}
          onChange={(event) => setModel(event.target.value)}
        />
      )}
      <Checkbox
        label="Use it as the default model"
        checked={makeDefault}
        onChange={(event) => setMakeDefault(event.target.checked)}
      />
      {offered.error !== null && <ErrorState error={offered.error} />}
      {add.error !== null && <ErrorState error={add.error} />}
      <div className="dialog-actions">
        <Button look="quiet" onClick={onClose}>
          Cancel
        </Button>
        <Button type="submit" look="primary" busy={add.isPending} disabled={model.trim() === ''}>
          {add.isPending ? 'Testing…' : 'Test and add'}
        </Button>
      </div>
    </form>
  );
}

interface AddedProps {
  readonly answer: Answer<'/v1/models', 'post'>;
  readonly onClose: () => void;
}

function Added({ answer, onClose }: AddedProps): ReactNode {
  return (
    <div className="stack">
      <p>
        Added <b>{answer.name}</b>. Default model: <b>{answer.default}</b>.
        {answer.key === 'vault' && ' The key is in the vault.'}
      </p>
      {answer.test !== undefined && <ModelTest test={answer.test} />}
      <div className="dialog-actions">
        <Button look="primary" onClick={onClose}>
          Done
        </Button>
      </div>
    </div>
  );
}

function isReady({ key, isLocal, runningModels }: Provider): boolean {
  return key !== undefined || (isLocal && runningModels !== undefined);
}

function readiness(provider: Provider): string {
  if (provider.key !== undefined) return ' (key found)';
  return provider.runningModels === undefined ? '' : ' (running)';
}

function keyHint(provider: Provider | undefined): string {
  if (provider?.key === 'vault') return 'Empty: the key in the vault';
  if (provider?.key === 'environment') return `Empty: the key in ${provider.keyVariable}`;
  return provider?.needsKey ? 'Stored in the vault of this workspace' : 'Empty if the server needs none';
}
