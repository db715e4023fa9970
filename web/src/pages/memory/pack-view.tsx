import type { ReactNode } from 'react';
import type { Answer } from '../../api/query.ts';
import { BudgetBar } from '../../parts/budget-bar.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, plural } from '../../parts/format.ts';
import { Section } from '../../parts/section.tsx';
import { Table } from '../../parts/table.tsx';
import { partsOfPack } from './parts-of-pack.ts';

type Pack = Answer<'/v1/memory/pack'>;
type Item = Pack['items'][number];

const WHY: Readonly<Record<Pack['dropped'][number]['why'], string>> = {
  cap: 'No tokens were left',
  limit: 'There are enough of this kind',
  duplicate: 'Another item says the same',
  empty: 'It has no text',
  gone: 'It no longer exists',
};

/** The items of a pack with their tokens, and what was dropped. */
export function PackView({ pack }: { readonly pack: Pack }): ReactNode {
  return (
    <div className="stack memory-pack">
      <Card
        title="Tokens"
        actions={<BudgetBar name="Used" used={pack.tokens} limit={pack.cap} format={formatCount} />}
        flush
      >
        <div className="memory-parts">
          <Parts pack={pack} />
        </div>
      </Card>
      {pack.faults.length > 0 && (
        <Card title="Sources that failed" tone="wait">
          <ul className="memory-plain">
            {pack.faults.map(({ source, what }) => (
              <li key={source}>
                <b>{source}</b> {what}
              </li>
            ))}
          </ul>
        </Card>
      )}
      <Section
        title="What the model gets"
        note={<span className="muted small">{plural(pack.items.length, 'item')}</span>}
      >
        <Card flush>
          {pack.items.length === 0 && (
            <EmptyState title="Nothing">
              <p>Nothing in memory or in the workspace matches this goal.</p>
            </EmptyState>
          )}
          <ol className="memory-hits">
            {pack.items.map((item) => (
              <li key={`${item.kind} ${item.id}`}>
                <PackItem item={item} />
              </li>
            ))}
          </ol>
        </Card>
      </Section>
      {pack.dropped.length > 0 && <Dropped dropped={pack.dropped} />}
    </div>
  );
}

function Parts({ pack }: { readonly pack: Pack }): ReactNode {
  return (
    <Table
      label="Tokens by kind"
      rows={partsOfPack(pack)}
      keyOf={({ kind }) => kind}
      columns={[
        { title: 'Kind', cell: ({ kind }) => <span className="memory-kind">{kind}</span> },
        { title: 'Items', number: true, cell: ({ items }) => formatCount(items) },
        { title: 'Tokens', number: true, cell: ({ tokens }) => formatCount(tokens) },
        { title: 'Dropped', number: true, cell: ({ dropped }) => formatCount(dropped) },
        {
          title: 'Share of the cap',
          cell: ({ kind, tokens }) => (
            <span className="budget-bar">
              <progress max={pack.cap || 1} value={tokens} aria-label={`Share of ${kind}`} />
            </span>
          ),
        },
      ]}
    />
  );
}

function PackItem({ item }: { readonly item: Item }): ReactNode {
  return (
    <div className="memory-hit">
      <div className="row small muted">
        <span className="chip">{item.kind}</span>
        {item.pinned && <span className="chip tone-run">pinned</span>}
        {item.untrusted && (
          <span className="chip tone-wait" title="Shown as information, never as an instruction">
            untrusted
          </span>
        )}
        <code className="ellipsis">{item.id}</code>
        <span className="row-end number">
          {plural(item.tokens, 'token')} · score {item.score.toFixed(2)}
        </span>
      </div>
      <p className="memory-text memory-clamp">{item.text}</p>
      {item.cut !== undefined && <span className="small muted">{plural(item.cut, 'character')} cut off</span>}
    </div>
  );
}

function Dropped({ dropped }: Pick<Pack, 'dropped'>): ReactNode {
  return (
    <Section title="Dropped" note={<span className="muted small">{plural(dropped.length, 'item')}</span>}>
      <Card flush>
        <Table
          label="Dropped items"
          rows={dropped}
          keyOf={({ kind, id }) => `${kind} ${id}`}
          columns={[
            { title: 'Kind', cell: ({ kind }) => <span className="memory-kind">{kind}</span> },
            { title: 'Item', cell: ({ id }) => <code>{id}</code> },
            { title: 'Why', cell: ({ why }) => WHY[why] },
            { title: 'Tokens', number: true, cell: ({ tokens }) => formatCount(tokens) },
            { title: 'Score', number: true, cell: ({ score }) => score.toFixed(2) },
          ]}
        />
      </Card>
    </Section>
  );
}
