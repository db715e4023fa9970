import { SqlChatRecords } from '../../adapters/sql/index.ts';
import type { EpochMs } from '../../kernel/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

const SAID = /^chat\/(?<name>.+)\/\d+$/u;

/** Removes messages that are too old to be shown in their conversation. */
export async function unexpiredHits<
  Hit extends { readonly id: string; readonly keptId?: string; readonly at: EpochMs },
>(
  hits: readonly Hit[],
  from: { readonly ledger: OpenLedger; readonly now: EpochMs },
): Promise<readonly Hit[]> {
  const names = new Set(hits.flatMap((hit) => conversationOf(hit) ?? []));
  if (names.size === 0) return hits;
  const records = new SqlChatRecords(from.ledger.tables);
  const shownAfter = new Map<string, EpochMs>();
  for (const name of names) {
    const conversation = await records.conversation(name);
    shownAfter.set(name, conversation === undefined ? from.now : from.now - conversation.ttlMs);
  }
  return hits.filter((hit) => {
    const name = conversationOf(hit);
    return name === undefined || hit.at > (shownAfter.get(name) ?? from.now);
  });
}

/** Imported episodes can have any id; only messages of conversations have ids of this form. */
function conversationOf({ id, keptId = id }: { readonly id: string; readonly keptId?: string }) {
  return SAID.exec(keptId)?.groups?.['name'];
}
