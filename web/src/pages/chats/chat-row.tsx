import type { ReactNode } from 'react';
import { Link } from 'wouter';
import type { Answer } from '../../api/query.ts';
import { plural } from '../../parts/format.ts';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { StatusMark } from '../../parts/status-mark.tsx';

/** A conversation in one line. */
export function ChatRow({ chat }: { readonly chat: Answer<'/v1/chats'>[number] }): ReactNode {
  return (
    <Link className="chat-row" href={`/chats/${encodeURIComponent(chat.name)}`}>
      <span className="ellipsis">
        <b>{chat.name}</b>
        {chat.agents.length > 0 && <span className="muted"> · {chat.agents.join(', ')}</span>}
      </span>
      <span className="row chat-row-marks">
        {chat.open > 0 && (
          <StatusMark
            status={chat.paused || chat.waitsUntil !== undefined ? 'waiting' : 'running'}
            label={`${chat.open} unanswered`}
          />
        )}
        {chat.paused && <StatusMark status="paused" />}
      </span>
      <span className="small muted chat-row-count">{plural(chat.messages, 'message')}</span>
      <span className="small muted number">
        <RelativeTime at={chat.lastAt ?? chat.createdAt} />
      </span>
    </Link>
  );
}
