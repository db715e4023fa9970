import type { ConversationItem } from '../../api/index.ts';

/** Sessions are conversations named after the agent and numbered. Most recently used first. */
export function sessionsOf(
  agent: string,
  conversations: readonly ConversationItem[],
): readonly ConversationItem[] {
  const usedAt = ({ lastAt, createdAt }: ConversationItem): number => lastAt ?? createdAt;
  return conversations
    .filter(({ name }) => numberOf(agent, name) !== undefined)
    .sort(
      (a, b) => usedAt(b) - usedAt(a) || Number(numberOf(agent, b.name)) - Number(numberOf(agent, a.name)),
    );
}

export function nextSession(agent: string, conversations: readonly ConversationItem[]): string {
  const numbers = conversations.map(({ name }) => numberOf(agent, name) ?? 0);
  return `${agent}-${Math.max(0, ...numbers) + 1}`;
}

function numberOf(agent: string, name: string): number | undefined {
  if (!name.startsWith(`${agent}-`)) return undefined;
  const number = name.slice(agent.length + 1);
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : undefined;
}
