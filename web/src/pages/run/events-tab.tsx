import { type ReactNode, useCallback, useMemo, useState } from 'react';
import { CopyButton } from '../../parts/copy-button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { formatCount, formatExact, plural, shortId } from '../../parts/format.ts';
import { JsonView } from '../../parts/json-view.tsx';
import { SearchBox } from '../../parts/search-box.tsx';
import { VirtualList } from '../../parts/virtual-list.tsx';
import { useUrlParam } from '../../state/use-url-param.ts';
import { searchEvents } from './record/search-events.ts';
import type { RunEvent } from './record/types.ts';
import type { ViewProps } from './view-props.ts';

const ROW_HEIGHT = 28;

/** The raw events up to the chosen moment. */
export function EventsTab({ moment: { tree } }: ViewProps): ReactNode {
  const [text, setText] = useUrlParam('search');
  const [shown, setShown] = useState<number>();
  const events = useMemo(() => searchEvents(tree.events, text), [tree.events, text]);
  const select = useCallback((seq: number) => setShown((now) => (now === seq ? undefined : seq)), []);
  const selected = events.findIndex(({ seq }) => seq === shown);
  const row = useCallback(
    (event: RunEvent) => (
      <EventRow event={event} root={tree.root.id} isSelected={event.seq === shown} onSelect={select} />
    ),
    [tree.root.id, shown, select],
  );
  const event = events[selected];
  return (
    <div className="run-events">
      <div className="run-events-head">
        <SearchBox label="Search events" value={text} onChange={setText} />
        <span className="small muted" role="status">
          {text === ''
            ? plural(events.length, 'event')
            : `${formatCount(events.length)} of ${plural(tree.events.length, 'event')}`}
        </span>
      </div>
      {events.length === 0 ? (
        <EmptyState title="No event matches the search">
          <p>It looks at types, data and content.</p>
        </EmptyState>
      ) : (
        <VirtualList
          label="Events"
          items={events}
          keyOf={({ seq }) => String(seq)}
          row={row}
          rowHeight={ROW_HEIGHT}
          maxHeight={event === undefined ? '60vh' : '34vh'}
        />
      )}
      {event !== undefined && <EventDetail event={event} />}
    </div>
  );
}

interface EventRowProps {
  readonly event: RunEvent;
  readonly root: string;
  readonly isSelected: boolean;
  readonly onSelect: (seq: number) => void;
}

function EventRow({ event, root, isSelected, onSelect }: EventRowProps): ReactNode {
  const run = event.stream.slice('run/'.length);
  return (
    <button type="button" className="run-event" aria-pressed={isSelected} onClick={() => onSelect(event.seq)}>
      <span className="small muted number">{formatCount(event.seq)}</span>
      <span className="small muted">{formatExact(event.at).slice(11)}</span>
      <b className="ellipsis">{event.type}</b>
      <span className="small muted ellipsis mono">
        {run !== root && `${shortId(run)} `}
        {JSON.stringify(event.data)}
      </span>
    </button>
  );
}

function EventDetail({ event }: { readonly event: RunEvent }): ReactNode {
  const { seq, stream, index, actor, at, chain, data, body, erased } = event;
  return (
    <section className="run-event-detail" aria-label={`Event ${seq}`}>
      <div className="row">
        <h2>
          {event.type} <span className="muted small">event {formatCount(seq)}</span>
        </h2>
        <span className="row-end">
          <CopyButton text={JSON.stringify(event, undefined, 2)} label="Copy the event" />
        </span>
      </div>
      <p className="small muted">
        {stream}, index {index} · {formatExact(at)} · by {actor} · chain <code>{chain.slice(0, 16)}…</code>
      </p>
      <JsonView value={data} open={2} />
      {erased && <p className="small muted">Its content was erased. The chain still covers it.</p>}
      {body !== undefined && (
        <>
          <h3>Content</h3>
          <JsonView value={body} open={2} />
        </>
      )}
    </section>
  );
}
