import { canonicalJson } from '../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../ledger/index.ts';
import { type ChatEventBodies, type ChatEventData, conversationOf, isChatStream } from './chat-events.ts';

const CONVERSATIONS: TableSpec = {
  name: 'conversations',
  columns: { name: 'text', created_at: 'integer', created_by: 'text', paused: 'integer', ttl_ms: 'integer' },
  key: ['name'],
};

const PARTICIPANTS: TableSpec = {
  name: 'participants',
  columns: { conversation: 'text', agent: 'text' },
  key: ['conversation', 'agent'],
};

const MESSAGES: TableSpec = {
  name: 'messages',
  columns: {
    conversation: 'text',
    id: 'integer',
    at: 'integer',
    sender: 'text',
    /** Stored as JSON because a store may truncate text at the first NUL. */
    text: 'json',
    depth: 'integer',
    cause: 'text',
    unknown: 'json',
    tainted: 'integer',
  },
  key: ['conversation', 'id'],
  indexes: [['cause']],
};

const NOTIFICATIONS: TableSpec = {
  name: 'notifications',
  columns: {
    id: 'text',
    conversation: 'text',
    message: 'integer',
    agent: 'text',
    depth: 'integer',
    chain: 'text',
    status: 'text',
    reason: 'text',
    detail: 'text',
    /** The event that holds the detail, so that erasing the event erases the detail. */
    detail_at: 'integer',
    attempts: 'integer',
    run: 'text',
    owner: 'text',
    parked: 'integer',
    waits_until: 'integer',
    waits_why: 'text',
    within: 'json',
    untrusted: 'integer',
    tokens: 'integer',
    cost_usd: 'real',
  },
  key: ['id'],
  indexes: [['status', 'agent', 'conversation', 'message'], ['conversation', 'message'], ['chain'], ['run']],
};

/** Tables of messages and notifications. */
export const chatProjection: Projection = {
  name: 'chat',
  tables: [CONVERSATIONS, PARTICIPANTS, MESSAGES, NOTIFICATIONS],
  types: new Set([
    'conversation.created',
    'conversation.paused',
    'conversation.resumed',
    'conversation.deleted',
    'message.posted',
    'turn.claimed',
    'turn.released',
    'turn.parked',
    'turn.requeued',
    'turn.failed',
    'turn.done',
    'turn.dropped',
    'body.erased',
    'stream.archived',
  ]),
  apply(event) {
    if (event.type === 'body.erased') return namedAddresses(event.data).flatMap(erased);
    if (event.type === 'stream.archived') return archived(event.data['stream'] as string);
    const conversation = conversationOf(event.stream);
    return conversation === undefined ? [] : changesOf(conversation, event);
  },
};

const NO_DETAIL = { detail: null, detail_at: null };
const NO_WAIT = { waits_until: null, waits_why: null };
const NOT_HELD = { owner: null, parked: 0, ...NO_WAIT };

function changesOf(conversation: string, event: LedgerEvent): readonly RowChange[] {
  switch (event.type) {
    case 'conversation.created': {
      const { ttlMs } = event.data as unknown as ChatEventData['conversation.created'];
      const created = { created_at: event.at, created_by: event.actor };
      return [{ table: 'conversations', put: { name: conversation, ...created, paused: 0, ttl_ms: ttlMs } }];
    }
    case 'message.posted':
      return posted(conversation, event);
    case 'conversation.paused':
    case 'conversation.resumed': {
      const patch = { paused: event.type === 'conversation.paused' ? 1 : 0 };
      return [{ table: 'conversations', patch, where: { name: conversation } }];
    }
    case 'conversation.deleted':
      return deleted(conversation);
    default:
      return turned(event);
  }
}

function posted(conversation: string, event: LedgerEvent): RowChange[] {
  const data = event.data as unknown as ChatEventData['message.posted'];
  const body = event.body as ChatEventBodies['message.posted'] | undefined;
  const { from, depth, cause, notifies = [], unknown = [], within = [], untrusted } = data;
  const id = `${conversation}/${event.index}`;
  const message: RowChange = {
    table: 'messages',
    put: {
      conversation,
      id: event.index,
      at: event.at,
      sender: from,
      text: canonicalJson(body?.text ?? null),
      depth,
      cause: cause ?? null,
      unknown: canonicalJson(unknown),
      tainted: data.tainted ? 1 : 0,
    },
  };
  const notified = notifies.flatMap(({ agent, dropped, detail }): RowChange[] => [
    {
      table: 'notifications',
      put: {
        id: `${id}/${agent}`,
        conversation,
        message: event.index,
        agent,
        depth: depth + 1,
        chain: data.chain ?? id,
        status: dropped === undefined ? 'queued' : 'dropped',
        reason: dropped ?? null,
        detail: detail ?? null,
        detail_at: null,
        attempts: 0,
        run: null,
        owner: null,
        parked: 0,
        ...NO_WAIT,
        within: canonicalJson(within),
        untrusted: untrusted ? 1 : 0,
        tokens: 0,
        cost_usd: 0,
      },
    },
    { table: 'participants', put: { conversation, agent } },
  ]);
  return [...(body === undefined ? [] : [message]), ...notified];
}

function turned({ type, data, body, index }: LedgerEvent): RowChange[] {
  const {
    notification,
    run,
    owner,
    attempt,
    reason,
    tokens,
    costUsd,
    until,
    why: cause,
  } = data as {
    [member: string]: string & number;
  };
  const { why = null } = (body ?? {}) as { readonly why?: string };
  const detail = { detail: why, detail_at: index };
  const usage = {
    ...(tokens === undefined ? {} : { tokens }),
    ...(costUsd === undefined ? {} : { cost_usd: costUsd }),
  };
  const patches: Readonly<Record<string, Row>> = {
    'turn.claimed': { status: 'claimed', run, attempts: attempt, ...NOT_HELD, owner },
    'turn.released': { status: 'queued', attempts: attempt, ...NOT_HELD },
    'turn.parked': { owner: null, parked: 1, waits_until: until ?? null, waits_why: cause ?? null },
    'turn.requeued': { status: 'queued', run: null, reason: null, attempts: 0, ...NOT_HELD, ...NO_DETAIL },
    'turn.failed': { status: 'queued', run: null, ...NOT_HELD, ...usage, ...detail },
    'turn.done': { status: 'done', ...NOT_HELD, ...usage, ...NO_DETAIL },
    'turn.dropped': { status: 'dropped', reason, ...NOT_HELD, ...usage, ...detail },
  };
  const patch = patches[type];
  return patch === undefined ? [] : [{ table: 'notifications', patch, where: { id: notification } }];
}

/** Deletes messages but keeps notifications, because they are counted. */
function deleted(conversation: string): RowChange[] {
  const drop = (status: string): RowChange => ({
    table: 'notifications',
    patch: { status: 'dropped', reason: 'deleted', ...NO_DETAIL, ...NOT_HELD },
    where: { conversation, status },
  });
  return [
    { table: 'conversations', delete: { name: conversation } },
    { table: 'participants', delete: { conversation } },
    { table: 'messages', delete: { conversation } },
    drop('queued'),
    drop('claimed'),
  ];
}

function erased({ stream, index }: { readonly stream: string; readonly index: number }): RowChange[] {
  const conversation = conversationOf(stream);
  if (conversation === undefined) return [];
  return isChatStream(stream)
    ? [{ table: 'messages', delete: { conversation, id: index } }]
    : [{ table: 'notifications', patch: { detail: null }, where: { conversation, detail_at: index } }];
}

function archived(stream: string): RowChange[] {
  const conversation = conversationOf(stream);
  if (conversation === undefined || !isChatStream(stream)) return [];
  return [
    { table: 'messages', delete: { conversation } },
    { table: 'notifications', delete: { conversation } },
  ];
}
