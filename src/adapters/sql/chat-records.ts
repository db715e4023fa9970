import type {
  ChainUse,
  ChatRecords,
  Conversation,
  ConversationSummary,
  Message,
  MessageFilter,
  Notification,
  NotificationStatus,
} from '../../chat/index.ts';
import type { EpochMs } from '../../kernel/index.ts';
import type { Row, SqlDialect } from '../../ledger/index.ts';
import { RowReader } from './row-reader.ts';

const MAX_ROWS = 2 ** 53 - 1;
const PARTICIPANTS = 'SELECT conversation, agent FROM participants';
const OLDEST_FIRST = 'ORDER BY n.conversation, n.message, n.id';

/** Every notified agent is a participant, so an index finds open notifications however many are done. */
const openIn = ({
  orderedJoin,
}: SqlDialect): string => `FROM participants p CROSS JOIN (SELECT 'queued' AS status UNION ALL SELECT 'claimed') s
  ${orderedJoin} notifications n ON n.status = s.status AND n.agent = p.agent AND n.conversation = p.conversation`;

const open = ({ listed }: SqlDialect): string => `WITH wanted (agent) AS (${listed('?')}),
  first AS (SELECT n.agent, n.conversation, min(n.message) AS message
    FROM wanted w JOIN notifications n ON n.status = 'queued' AND n.agent = w.agent
    GROUP BY n.agent, n.conversation)
  SELECT n.* FROM wanted w JOIN notifications n ON n.status = 'claimed' AND n.agent = w.agent
  UNION ALL
  SELECT n.* FROM first f
    JOIN notifications n ON n.id = f.conversation || '/' || f.message || '/' || f.agent
    LEFT JOIN conversations c ON c.name = f.conversation
    WHERE coalesce(c.paused, 0) = 0 OR n.run IS NOT NULL
  ORDER BY conversation, message, id`;

const LINEAGE = `WITH RECURSIVE said AS (
    SELECT 0 AS back, m.* FROM messages m WHERE m.conversation = ? AND m.id = ? AND m.cause IS NOT NULL
    UNION ALL
    SELECT s.back + 1, m.* FROM said s
      JOIN notifications n ON n.id = s.cause
      JOIN messages m ON m.conversation = n.conversation AND m.id = n.message AND m.cause IS NOT NULL)
  SELECT sender, text FROM said ORDER BY back`;

/** Finds conversations, messages and notifications in the folded tables. */
export class SqlChatRecords extends RowReader implements ChatRecords {
  async conversation(name: string): Promise<Conversation | undefined> {
    const row = (await this.rows('SELECT * FROM conversations WHERE name = ?', name))[0];
    return (
      row &&
      toConversation(row, await this.rows(`${PARTICIPANTS} WHERE conversation = ? ORDER BY agent`, name))
    );
  }

  async conversations(now: EpochMs): Promise<readonly ConversationSummary[]> {
    const sql = `SELECT c.*, count(m.id) AS messages, max(m.at) AS last_at,
        (SELECT count(*) ${openIn(this.dialect)} WHERE p.conversation = c.name) AS open,
        (SELECT min(n.waits_until) ${openIn(this.dialect)} WHERE p.conversation = c.name) AS waits_until
      FROM conversations c LEFT JOIN messages m ON m.conversation = c.name AND m.at > ? - c.ttl_ms
      GROUP BY c.name ORDER BY coalesce(max(m.at), c.created_at) DESC, c.name`;
    const rows = await this.rows(sql, now);
    const participants = await this.rows(`${PARTICIPANTS} ORDER BY agent`);
    const byConversation = new Map<unknown, Row[]>(rows.map((row) => [row['name'], []]));
    for (const row of participants) byConversation.get(row['conversation'])?.push(row);
    return rows.map((row) => ({
      ...toConversation(row, byConversation.get(row['name']) ?? []),
      messages: row['messages'] as number,
      ...(row['last_at'] === null ? {} : { lastAt: row['last_at'] as number }),
      open: row['open'] as number,
      ...(row['waits_until'] === null ? {} : { waitsUntil: row['waits_until'] as number }),
    }));
  }

  async messages(filter: MessageFilter): Promise<readonly Message[]> {
    const { conversation, since, upTo = MAX_ROWS, limit = MAX_ROWS, after } = filter;
    const sql = `SELECT * FROM (SELECT * FROM messages WHERE conversation = ? AND id > ? AND id <= ? AND at > ?
      ORDER BY id ${since === undefined ? 'DESC' : 'ASC'} LIMIT ?) AS chosen ORDER BY id`;
    return (await this.rows(sql, conversation, since ?? -1, upTo, after, limit)).map(toMessage);
  }

  async message(conversation: string, id: number): Promise<Message | undefined> {
    return (
      await this.rows('SELECT * FROM messages WHERE conversation = ? AND id = ?', conversation, id)
    ).map(toMessage)[0];
  }

  async expiredMessages(conversation: string, before: EpochMs): Promise<readonly Message[]> {
    const sql = 'SELECT * FROM messages WHERE conversation = ? AND at <= ? ORDER BY id';
    return (await this.rows(sql, conversation, before)).map(toMessage);
  }

  async notification(id: string): Promise<Notification | undefined> {
    return (await this.rows('SELECT * FROM notifications WHERE id = ?', id)).map(toNotification)[0];
  }

  async notifications(conversation: string): Promise<readonly Notification[]> {
    const sql = `SELECT * FROM notifications n WHERE n.conversation = ? ${OLDEST_FIRST}`;
    return (await this.rows(sql, conversation)).map(toNotification);
  }

  async unanswered(conversation: string, first: number, last: number): Promise<readonly Notification[]> {
    const sql = `SELECT * FROM notifications n WHERE n.conversation = ? AND n.message BETWEEN ? AND ?
      AND (n.status = 'dropped' OR n.parked = 1) ${OLDEST_FIRST}`;
    return (await this.rows(sql, conversation, first, last)).map(toNotification);
  }

  async openIn(conversation: string): Promise<readonly Notification[]> {
    const sql = `SELECT n.* ${openIn(this.dialect)} WHERE p.conversation = ? ${OLDEST_FIRST}`;
    return (await this.rows(sql, conversation)).map(toNotification);
  }

  async open(agents: readonly string[]): Promise<readonly Notification[]> {
    return (await this.rows(open(this.dialect), JSON.stringify(agents))).map(toNotification);
  }

  /** The runs of the turns that a host answers or will answer. A parked turn waits for its run. */
  async runsOfTurns(): Promise<ReadonlySet<string>> {
    const sql = `SELECT run FROM notifications WHERE status IN ('queued', 'claimed') AND parked = 0 AND run IS NOT NULL`;
    return new Set((await this.rows(sql)).map(({ run }) => run as string));
  }

  async answersTo(notification: string): Promise<readonly Message[]> {
    return (await this.rows('SELECT * FROM messages WHERE cause = ? ORDER BY id', notification)).map(
      toMessage,
    );
  }

  async orphanedMessages(): Promise<readonly Message[]> {
    const sql = 'SELECT * FROM messages WHERE conversation NOT IN (SELECT name FROM conversations)';
    return (await this.rows(sql)).map(toMessage);
  }

  async notificationsOf(conversation: string, message: number): Promise<readonly Notification[]> {
    const sql = 'SELECT * FROM notifications WHERE conversation = ? AND message = ? ORDER BY id';
    return (await this.rows(sql, conversation, message)).map(toNotification);
  }

  async lineage({
    conversation,
    id,
  }: Pick<Message, 'conversation' | 'id'>): ReturnType<ChatRecords['lineage']> {
    return (await this.rows(LINEAGE, conversation, id)).map((row) => ({
      from: row['sender'] as string,
      text: textOf(row),
    }));
  }

  async ofRun(run: string): Promise<Notification | undefined> {
    return (await this.rows('SELECT * FROM notifications WHERE run = ? LIMIT 1', run)).map(toNotification)[0];
  }

  async claimed(conversation: string, agent: string): Promise<Notification | undefined> {
    const sql = `SELECT * FROM notifications WHERE status = 'claimed' AND agent = ? AND conversation = ? LIMIT 1`;
    return (await this.rows(sql, agent, conversation)).map(toNotification)[0];
  }

  async chainUse(chain: string): Promise<ChainUse> {
    const sql = `SELECT count(*) FILTER (WHERE attempts > 0) AS turns, coalesce(sum(tokens), 0) AS tokens,
      coalesce(sum(cost_usd), 0) AS cost FROM notifications WHERE chain = ?`;
    const row = (await this.rows(sql, chain))[0] as Row;
    return {
      turns: row['turns'] as number,
      tokens: row['tokens'] as number,
      costUsd: row['cost'] as number,
    };
  }

  async counts(): Promise<Readonly<Record<NotificationStatus, number>>> {
    const counts = { queued: 0, claimed: 0, done: 0, dropped: 0 };
    for (const row of await this.rows('SELECT status, count(*) AS found FROM notifications GROUP BY status'))
      counts[row['status'] as NotificationStatus] = row['found'] as number;
    return counts;
  }
}

function toConversation(row: Row, participants: readonly Row[]): Conversation {
  return {
    name: row['name'] as string,
    createdAt: row['created_at'] as number,
    createdBy: row['created_by'] as string,
    paused: row['paused'] === 1,
    ttlMs: row['ttl_ms'] as number,
    agents: participants.map((one) => one['agent'] as string),
  };
}

function textOf(row: Row): string {
  return JSON.parse(row['text'] as string) as string;
}

function toMessage(row: Row): Message {
  return {
    conversation: row['conversation'] as string,
    id: row['id'] as number,
    at: row['at'] as number,
    from: row['sender'] as string,
    text: textOf(row),
    depth: row['depth'] as number,
    ...(row['cause'] === null ? {} : { cause: row['cause'] as string }),
    unknown: JSON.parse(row['unknown'] as string) as string[],
    ...(row['tainted'] === 1 ? { tainted: true } : {}),
  };
}

function toNotification(row: Row): Notification {
  const optional = (name: string, column = name): Record<string, string> =>
    row[column] === null ? {} : { [name]: row[column] as string };
  return {
    id: row['id'] as string,
    conversation: row['conversation'] as string,
    message: row['message'] as number,
    agent: row['agent'] as string,
    depth: row['depth'] as number,
    chain: row['chain'] as string,
    status: row['status'] as NotificationStatus,
    ...(optional('reason') as Partial<Pick<Notification, 'reason'>>),
    ...optional('detail'),
    attempts: row['attempts'] as number,
    ...optional('run'),
    ...optional('owner'),
    parked: row['parked'] === 1,
    ...(row['waits_until'] === null
      ? {}
      : { waiting: { until: row['waits_until'] as number, why: row['waits_why'] as string } }),
    within: JSON.parse(row['within'] as string) as string[][],
    untrusted: row['untrusted'] === 1,
    tokens: row['tokens'] as number,
    costUsd: row['cost_usd'] as number,
  };
}
