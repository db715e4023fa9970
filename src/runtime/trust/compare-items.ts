// Owns: how acting items compare with what the user approved. Pure.
import type { ApprovedItem } from '../../adapters/workspace/index.ts';
import type { ActingItem } from './acting-items.ts';

export type ItemState = 'approved' | 'new' | 'changed';

export interface ComparedItem {
  readonly item: ActingItem;
  readonly state: ItemState;
  /** What the user approved under the same name. */
  readonly before?: ApprovedItem;
}

/** An item is approved if exactly its content was approved. */
export function isApproved(item: ActingItem, approved: readonly ApprovedItem[]): boolean {
  return approved.some(({ kind, digest }) => kind === item.kind && digest === item.digest);
}

export function stateOf(item: ActingItem, approved: readonly ApprovedItem[]): ItemState {
  if (isApproved(item, approved)) return 'approved';
  return approved.some((one) => isNamesake(one, item)) ? 'changed' : 'new';
}

/** The current items with their state, and the approved ones that do not exist any more. */
export function compareItems(
  items: readonly ActingItem[],
  approved: readonly ApprovedItem[],
): { readonly current: readonly ComparedItem[]; readonly removed: readonly ApprovedItem[] } {
  const current = items.map((item): ComparedItem => {
    const before = approved.find((one) => isNamesake(one, item));
    return { item, state: stateOf(item, approved), ...(before === undefined ? {} : { before }) };
  });
  const removed = approved.filter((one) => !items.some((item) => isNamesake(one, item)));
  return { current, removed };
}

/** Approves one item; another approved version of it is not approved any more. */
export function withItem(approved: readonly ApprovedItem[], item: ApprovedItem): readonly ApprovedItem[] {
  return [...approved.filter((one) => !isNamesake(one, item)), item];
}

export function isNamesake(one: ApprovedItem, other: Pick<ApprovedItem, 'kind' | 'name'>): boolean {
  return one.kind === other.kind && one.name === other.name;
}

const KIND_NAMES: Readonly<Record<string, readonly [one: string, several: string]>> = {
  hook: ['hook', 'hooks'],
  model: ['model', 'models'],
  default_model: ['default model', 'default models'],
  agent: ['agent', 'agents'],
  graph: ['graph', 'graphs'],
  mcp_server: ['MCP server', 'MCP servers'],
  program: ['program', 'programs'],
  schedule: ['schedule', 'schedules'],
};

/** An item as messages name it, such as `MCP server notes`. */
export function itemName({ kind, name }: Pick<ApprovedItem, 'kind' | 'name'>): string {
  return `${KIND_NAMES[kind]?.[0] ?? kind} "${name}"`;
}

/** How many items of each kind there are, such as `2 hooks, 1 MCP server`. */
export function countItems(items: readonly Pick<ApprovedItem, 'kind'>[]): string {
  const counts = new Map<string, number>();
  for (const { kind } of items) counts.set(kind, (counts.get(kind) ?? 0) + 1);
  const parts = [...counts].map(([kind, count]) => {
    const [one, several] = KIND_NAMES[kind] ?? [kind, kind];
    return `${count} ${count === 1 ? one : several}`;
  });
  return parts.join(', ');
}
