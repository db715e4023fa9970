import { type ReactNode, useState } from 'react';
import { type Answer, useAction, useApi } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { Confirm } from '../../parts/confirm.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatTokens } from '../../parts/format.ts';
import { Menu } from '../../parts/menu.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';
import { Table } from '../../parts/table.tsx';
import { showInfo } from '../../state/toasts.ts';
import { AddModel } from './add-model.tsx';
import { ModelTest } from './model-test.tsx';
import { PriceDialog } from './price-dialog.tsx';
import { refreshModels } from './refresh.ts';

type Model = Answer<'/v1/models'>['models'][number];

/** The configured models: add, test, choose the default, set a price, remove. */
export function ModelsTab(): ReactNode {
  const models = useApi('/v1/models');
  const [isAdding, setAdding] = useState(false);
  const test = useAction('post', '/v1/model-test', { onDone: () => void refreshModels() });
  return (
    <div className="stack">
      <Card
        title="Models"
        flush
        actions={
          <Button look="primary" onClick={() => setAdding(true)}>
            Add model
          </Button>
        }
      >
        <QueryState query={models}>
          {({ models: list, pricesAsOf }) =>
            list.length === 0 ? (
              <EmptyState title="No model yet">
                <p>Known tasks work without a model. Add one for goals in your own words and for chats.</p>
              </EmptyState>
            ) : (
              <>
                <ModelTable
                  models={list}
                  testing={test.isPending ? (test.variables?.body?.name ?? undefined) : undefined}
                  onTest={(name) => test.mutate({ body: { name } })}
                />
                <p className="settings-note small muted">
                  Published prices as of {pricesAsOf}. Prices are in US dollars per million tokens.
                </p>
              </>
            )
          }
        </QueryState>
      </Card>
      {test.data !== undefined && <ModelTest test={test.data} />}
      {isAdding && <AddModel onClose={() => setAdding(false)} />}
    </div>
  );
}

interface ModelTableProps {
  readonly models: readonly Model[];
  /** The name of the model that is being tested. */
  readonly testing: string | undefined;
  readonly onTest: (name: string) => void;
}

function ModelTable({ models, testing, onTest }: ModelTableProps): ReactNode {
  const [priced, setPriced] = useState<Model>();
  const [removed, setRemoved] = useState<Model>();
  const setDefault = useAction('put', '/v1/models/default', {
    onDone: ({ default: name }) => {
      showInfo(`Default model: ${name}`);
      void refreshModels();
    },
  });
  const menuOf = (model: Model) => [
    {
      label: 'Make default',
      disabled: model.isDefault,
      onSelect: () => setDefault.mutate({ body: { name: model.name } }),
    },
    { label: 'Set price…', onSelect: () => setPriced(model) },
    {
      label: 'Remove…',
      danger: true,
      disabled: model.from === 'project',
      onSelect: () => setRemoved(model),
    },
  ];
  return (
    <>
      <Table
        label="Models"
        rows={models}
        keyOf={({ name }) => name}
        columns={[
          { title: 'Name', cell: (model) => <ModelName model={model} /> },
          { title: 'Can', cell: (model) => <Abilities model={model} /> },
          {
            title: 'Context',
            number: true,
            cell: ({ contextTokens }) => (contextTokens === undefined ? '–' : formatTokens(contextTokens)),
          },
          { title: 'Price in / out', number: true, cell: priceOf },
          {
            title: 'Actions',
            cell: (model) => (
              <span className="row">
                <Button busy={testing === model.name} onClick={() => onTest(model.name)}>
                  Test
                </Button>
                <Menu label={`More actions for ${model.name}`} items={menuOf(model)} />
              </span>
            ),
          },
        ]}
      />
      {priced !== undefined && <PriceDialog model={priced} onClose={() => setPriced(undefined)} />}
      {removed !== undefined && <RemoveModel model={removed} onClose={() => setRemoved(undefined)} />}
    </>
  );
}

function ModelName({ model }: { readonly model: Model }): ReactNode {
  return (
    <div>
      <b>{model.name}</b> {model.isDefault && <StatusMark status="ok" label="Default" look="plain" />}
      {model.name !== model.model && <div className="small muted">{model.model}</div>}
      {model.url !== undefined && <div className="small muted mono">{model.url}</div>}
    </div>
  );
}

function Abilities({ model }: { readonly model: Model }): ReactNode {
  const missing = [
    ...(model.streaming ? [] : ['streaming']),
    ...(model.tools ? [] : ['tools']),
    ...(model.json ? [] : ['JSON']),
  ];
  if (missing.length === 0) return <span className="muted">everything</span>;
  return <StatusMark status="warning" label={`No ${missing.join(', no ')}`} look="plain" />;
}

function priceOf({ price, priceFrom }: Model): ReactNode {
  if (priceFrom === 'local') return 'local';
  if (price === undefined) return 'unknown';
  return `$${price.input} / $${price.output}${priceFrom === 'assumed' ? ' (assumed)' : ''}`;
}

function RemoveModel({ model, onClose }: { readonly model: Model; readonly onClose: () => void }): ReactNode {
  const remove = useAction('delete', '/v1/models/{name}', {
    onDone: ({ keyErased }) => {
      showInfo(keyErased ? 'Model removed, and its key erased' : 'Model removed');
      void refreshModels();
      onClose();
    },
  });
  return (
    <Confirm
      title={`Remove ${model.name}?`}
      open
      action="Remove"
      danger
      busy={remove.isPending}
      onConfirm={() => remove.mutate({ params: { path: { name: model.name } } })}
      onClose={onClose}
    >
      <p>Its key is erased from the vault if no other model uses it. Recorded runs stay as they are.</p>
    </Confirm>
  );
}
