import type { LiveTexts } from '../../api/live-text.ts';
import type { Answer } from '../../api/query.ts';
import type { Message } from './use-messages.ts';

export type Turn = Answer<'/v1/chats/{conversation}/trace'>[number];

const isOpen = ({ status }: Pick<Turn, 'status'>): boolean => status === 'queued' || status === 'claimed';

/**
 * The turns that are shown as being answered. A turn that is done stays until its message is there, so that its text does not
 * disappear in between.
 */
export function liveTurns(
  turns: readonly Turn[],
  messages: readonly Pick<Message, 'turn'>[],
  texts: LiveTexts,
): readonly Turn[] {
  const answered = new Set(messages.map(({ turn }) => turn));
  const hasText = ({ run }: Turn): boolean => run !== undefined && (texts.get(run)?.text ?? '') !== '';
  return turns.filter(
    (turn) => !answered.has(turn.id) && (isOpen(turn) || (turn.status === 'done' && hasText(turn))),
  );
}

/** What turns had written when they were stopped or failed, by the message that they answered. It is not stored. */
export function stoppedTexts(
  turns: readonly Turn[],
  texts: LiveTexts,
): ReadonlyMap<number, readonly StoppedText[]> {
  const stopped = turns.flatMap(({ id, message, agent, status, run }) => {
    const text = run === undefined ? undefined : texts.get(run)?.text;
    return status === 'dropped' && text ? [{ id, message, agent, text }] : [];
  });
  return groupBy(stopped, ({ message }) => message);
}

export interface StoppedText {
  readonly id: string;
  readonly agent: string;
  readonly text: string;
}

/** The items by a key, in their order. */
export function groupBy<Item, Key>(
  items: readonly Item[],
  keyOf: (item: Item) => Key,
): ReadonlyMap<Key, readonly Item[]> {
  const groups = new Map<Key, Item[]>();
  for (const item of items) groups.set(keyOf(item), [...(groups.get(keyOf(item)) ?? []), item]);
  return groups;
}

export interface TurnNode {
  readonly turn: Turn;
  readonly children: readonly TurnNode[];
}

/** Who notified whom: the turns below the turn whose answer mentioned their agent. */
export function turnTree(turns: readonly Turn[]): readonly TurnNode[] {
  const known = new Set(turns.map(({ id }) => id));
  const below = groupBy(turns, ({ parent }) =>
    parent !== undefined && known.has(parent) ? parent : undefined,
  );
  const nodes = (parent: string | undefined): readonly TurnNode[] =>
    (below.get(parent) ?? []).map((turn) => ({ turn, children: nodes(turn.id) }));
  return nodes(undefined);
}
