import { Fragment, type ReactNode, useMemo } from 'react';
import type { Answer } from '../../api/query.ts';
import { Button } from '../../parts/button.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { plural } from '../../parts/format.ts';
import { LiveTurn, type LiveTurnProps } from './live-turn.tsx';
import { MessageItem } from './message-item.tsx';
import { groupBy, type StoppedText, type Turn } from './turns.ts';
import { useKeptScroll } from './use-kept-scroll.ts';
import { useLastSeen } from './use-last-seen.ts';
import type { Message, Notice } from './use-messages.ts';

interface MessageListProps {
  readonly conversation: string;
  readonly messages: readonly Message[];
  readonly notices: readonly Notice[];
  readonly turns: readonly Turn[];
  readonly usage: Answer<'/v1/chats/{conversation}/usage'> | undefined;
  readonly live: readonly LiveTurnProps[];
  readonly stopped: ReadonlyMap<number, readonly StoppedText[]>;
  readonly hasOlder: boolean;
  readonly isLoadingOlder: boolean;
  readonly onOlder: () => void;
}

const NO_NOTICES: readonly Notice[] = [];
const NO_TEXTS: readonly StoppedText[] = [];

/** What a turn waits for is shown with the turn. */
const isShown = ({ waiting, until }: Notice): boolean => !waiting && until === undefined;

/** The messages. It stays at the end while a person reads there, and at their place otherwise. */
export function MessageList(props: MessageListProps): ReactNode {
  const { conversation, messages, live, hasOlder, isLoadingOlder, onOlder } = props;
  const lastId = messages.at(-1)?.id;
  const { frame, content, isAtEnd, toEnd } = useKeptScroll(messages[0]?.id, () => {
    if (hasOlder && !isLoadingOlder) onOlder();
  });
  const { firstNew, unseen } = useLastSeen(conversation, messages, isAtEnd);
  const turnOf = useMemo(() => new Map(props.turns.map((turn) => [turn.id, turn])), [props.turns]);
  const noticesOf = useMemo(() => groupBy(props.notices, ({ message }) => message), [props.notices]);
  const unpriced = useMemo(
    () => new Set(props.usage?.turns.flatMap(({ run, unpriced: isIt }) => (isIt && run ? run : []))),
    [props.usage],
  );
  return (
    <div className="room-messages">
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls must be reachable by keyboard. */}
      <section ref={frame} className="room-scroll" aria-label="Messages" tabIndex={0}>
        <div ref={content} className="room-content">
          {hasOlder && (
            <Button look="quiet" busy={isLoadingOlder} onClick={onOlder}>
              Load older messages
            </Button>
          )}
          {messages.length === 0 && live.length === 0 && (
            <EmptyState title="Nothing was said yet">
              <p>Write below. Mention an agent with @name.</p>
            </EmptyState>
          )}
          {messages.map((message) => {
            const turn = message.turn === undefined ? undefined : turnOf.get(message.turn);
            return (
              <Fragment key={message.id}>
                {message.id === firstNew && <div className="room-new">New</div>}
                <MessageItem
                  message={message}
                  notices={noticesOf.get(message.id)?.filter(isShown) ?? NO_NOTICES}
                  turn={turn}
                  stopped={props.stopped.get(message.id) ?? NO_TEXTS}
                  isUnpriced={turn?.run !== undefined && unpriced.has(turn.run)}
                />
              </Fragment>
            );
          })}
          {live.map((one) => (
            <LiveTurn key={one.turn.id} {...one} />
          ))}
        </div>
      </section>
      {!isAtEnd && lastId !== undefined && (
        <button type="button" className="button room-to-end" onClick={toEnd}>
          {unseen > 0 ? `${plural(unseen, 'new message')} ↓` : 'To the end ↓'}
        </button>
      )}
    </div>
  );
}
