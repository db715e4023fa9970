// Owns: the names of sessions, which are conversations between a person and one agent. Pure, and without imports:
// the web app uses it too.

/** The parts of a ConversationItem that tell when it was used. */
interface Conversation {
  readonly name: string;
  readonly createdAt: number;
  readonly lastAt?: number;
}

/** Sessions are conversations named after the agent and numbered. Most recently used first. */
export function sessionsOf(agent: string, conversations: readonly Conversation[]): readonly Conversation[] {
  const usedAt = ({ lastAt, createdAt }: Conversation): number => lastAt ?? createdAt;
  return conversations
    .filter(({ name }) => numberOf(agent, name) !== undefined)
    .sort(
      (a, b) => usedAt(b) - usedAt(a) || Number(numberOf(agent, b.name)) - Number(numberOf(agent, a.name)),
    );
}

export function nextSession(agent: string, conversations: readonly Pick<Conversation, 'name'>[]): string {
  const numbers = conversations.map(({ name }) => numberOf(agent, name) ?? 0);
  return `${agent}-${Math.max(0, ...numbers) + 1}`;
}

/** The agent of a session; undefined for another conversation. */
export function agentOfSession(name: string, agents: readonly string[]): string | undefined {
  return agents.find((agent) => numberOf(agent, name) !== undefined);
}

function numberOf(agent: string, name: string): number | undefined {
  if (!name.startsWith(`${agent}-`)) return undefined;
  const number = name.slice(agent.length + 1);
  return /^[1-9]\d{0,8}$/.test(number) ? Number(number) : undefined;
}
