import { type ReactNode, useMemo, useState } from 'react';
import { useLocation } from 'wouter';
import { useApi } from '../../api/query.ts';
import { Page } from '../../frame/page.tsx';
import { Button } from '../../parts/button.tsx';
import { Card } from '../../parts/card.tsx';
import { EmptyState } from '../../parts/empty-state.tsx';
import { QueryState } from '../../parts/query-state.tsx';
import { Section } from '../../parts/section.tsx';
import { useActions } from '../../state/actions.ts';
import { ChatRow } from './chat-row.tsx';
import { NewConversation } from './new-conversation.tsx';
import { TalkBox } from './talk-box.tsx';
import './chats.css';

/** Talk with the default agent, and all conversations. */
export default function ChatsPage(): ReactNode {
  const query = useApi('/v1/chats');
  const [, navigate] = useLocation();
  const [isNaming, setIsNaming] = useState(false);
  const actions = useMemo(
    () => [
      {
        id: 'chats.new',
        label: 'Start a conversation…',
        keywords: ['chat', 'room'],
        run: () => setIsNaming(true),
      },
      ...(query.data ?? []).map(({ name }) => ({
        id: `chats.${name}`,
        label: `Open the conversation ${name}`,
        keywords: ['chat'],
        run: () => navigate(`/chats/${encodeURIComponent(name)}`),
      })),
    ],
    [query.data, navigate],
  );
  useActions(actions);
  return (
    <Page
      title="Chats"
      facts="Conversations continue without this page."
      actions={<Button onClick={() => setIsNaming(true)}>New conversation…</Button>}
    >
      <div className="stack chats">
        <TalkBox />
        <Section title="Conversations">
          <Card flush>
            <QueryState query={query}>
              {(chats) =>
                chats.length === 0 ? (
                  <EmptyState title="No conversations yet">
                    <p>Write to the agent above, or start a conversation and mention agents with @name.</p>
                    <p>
                      In a terminal: <code>oka</code> or <code>oka chat new garden</code>
                    </p>
                  </EmptyState>
                ) : (
                  chats
                    .toSorted((a, b) => (b.lastAt ?? b.createdAt) - (a.lastAt ?? a.createdAt))
                    .map((chat) => <ChatRow key={chat.name} chat={chat} />)
                )
              }
            </QueryState>
          </Card>
        </Section>
        <NewConversation open={isNaming} onClose={() => setIsNaming(false)} />
      </div>
    </Page>
  );
}
