import { type ReactNode, useMemo, useState } from 'react';
import { useLiveTexts } from '../../api/live.ts';
import { useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import type { PageProps } from '../../frame/page-entry.ts';
import { Button } from '../../parts/button.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { ChatHead } from './chat-head.tsx';
import { ChatPanel } from './chat-panel.tsx';
import { DEFAULT_AGENT, useAgents } from './default-agent.ts';
import { MessageList } from './message-list.tsx';
import { NoModel } from './no-model.tsx';
import { RoomComposer } from './room-composer.tsx';
import { liveTurns, stoppedTexts } from './turns.ts';
import { flatten, useMessages } from './use-messages.ts';
import './chats.css';

/** A conversation, live. */
export default function ChatPage({ params }: PageProps): ReactNode {
  const name = params['name'] ?? '';
  const query = useMessages(name);
  return (
    <Page title={name} crumbs={[{ label: 'Chats', href: '/chats' }]} width="full">
      <QueryState query={query}>{() => <Room name={name} query={query} />}</QueryState>
    </Page>
  );
}

interface RoomProps {
  readonly name: string;
  readonly query: ReturnType<typeof useMessages>;
}

function Room({ name, query }: RoomProps): ReactNode {
  const path = { conversation: name };
  const trace = useApi('/v1/chats/{conversation}/trace', { params: { path } });
  const usage = useApi('/v1/chats/{conversation}/usage', { params: { path } });
  const chats = useApi('/v1/chats');
  const texts = useLiveTexts();
  const { names, to } = useAgents(name);
  const [isPanelShown, setIsPanelShown] = useState(false);
  const { messages, notices } = useMemo(() => flatten(query.data?.pages ?? []), [query.data]);
  const turns = useMemo(() => trace.data ?? [], [trace.data]);
  const live = liveTurns(turns, messages, texts);
  const stopped = useMemo(() => stoppedTexts(turns, texts), [turns, texts]);
  const isPaused = chats.data?.find((chat) => chat.name === name)?.paused ?? false;
  const runs = useMemo(() => new Set(usage.data?.turns.map(({ run }) => run)), [usage.data]);
  const waiting = new Set(notices.flatMap(({ message, waiting: isIt }) => (isIt ? message : [])));
  return (
    <div className={`room ${isPanelShown ? 'room-panel-shown' : ''}`}>
      <section className="room-talk" aria-label="Conversation">
        <ChatHead
          name={name}
          isPaused={isPaused}
          isWaiting={waiting.size > 0}
          turns={turns}
          usage={usage.data}
        >
          <Button
            className="room-panel-button"
            aria-pressed={isPanelShown}
            onClick={() => setIsPanelShown(!isPanelShown)}
          >
            Turns
          </Button>
        </ChatHead>
        <MessageList
          conversation={name}
          messages={messages}
          notices={notices}
          turns={turns}
          usage={usage.data}
          live={live.map((turn) => ({
            turn,
            live: turn.run === undefined ? undefined : texts.get(turn.run),
            hasStarted: turn.run !== undefined && (runs.has(turn.run) || texts.has(turn.run)),
            isPaused,
            isWaiting: waiting.has(turn.message),
          }))}
          stopped={stopped}
          hasOlder={query.hasNextPage}
          isLoadingOlder={query.isFetchingNextPage}
          onOlder={() => void query.fetchNextPage()}
        />
        <div className="room-foot">
          <NoModel agent={to ?? DEFAULT_AGENT} />
          <RoomComposer conversation={name} to={to} agents={names} isPaused={isPaused} />
        </div>
      </section>
      <ChatPanel usage={usage} turns={turns} />
    </div>
  );
}
