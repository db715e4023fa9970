import type { LedgerHead, ReplicaTally } from '../../ledger/index.ts';

/** The position that an endpoint reports. */
export interface HttpAnswer {
  readonly position: LedgerHead;
  readonly tally: ReplicaTally | undefined;
}

const HASH = /^[0-9a-f]{64}$/;

/** Parses an answer; undefined if it is invalid. */
export function readAnswer(text: string): HttpAnswer | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (value === null || typeof value !== 'object') return undefined;
  const { seq, head, events, archived } = value as Record<string, unknown>;
  if (!isCount(seq) || typeof head !== 'string') return undefined;
  if (seq === 0 ? head !== '' : !HASH.test(head)) return undefined;
  const tally = isCount(events) ? { events, archived: isCount(archived) ? archived : 0 } : undefined;
  return { position: { seq, hash: head }, tally };
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0;
}
