import { digestOf } from '../../kernel/index.ts';
import { type MirrorRecord, placeOf } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import type { OutboxSource } from './ports.ts';
import type { ReplicaBatch } from './types.ts';

/** Limits of one batch; they bound memory for any backlog. */
export interface BatchLimits {
  readonly events: number;
  readonly bytes: number;
}

export const BATCH_LIMITS: BatchLimits = { events: 500, bytes: 1_000_000 };

const ENVELOPE_BYTES = 300;
const ID_LENGTH = 32;

/**
 * The ID of a workspace at its sinks: the first digits of its first event's chain value. It moves with the folder and
 * survives a rebuild; undefined while the ledger is empty.
 */
export async function workspaceId(source: OutboxSource): Promise<string | undefined> {
  const [first] = await source.read(0, 1);
  return first === undefined ? undefined : placeOf(first).hash.slice(0, ID_LENGTH);
}

/** The next batch after a position; undefined at the end of the ledger. */
export async function nextBatch(
  source: OutboxSource,
  place: { readonly workspace: string; readonly after: LedgerHead },
  limits: BatchLimits = BATCH_LIMITS,
): Promise<ReplicaBatch | undefined> {
  const { workspace, after } = place;
  const records = cut(await source.read(after.seq, limits.events), limits);
  const last = records.at(-1);
  if (last === undefined) return undefined;
  const head = placeOf(last);
  const key = digestOf([workspace, after.seq, after.hash, head.seq, head.hash].join(' '));
  return { workspace, after, head, records, key };
}

/** As many records as fit, up to the last end of a transaction among them; at least one. */
function cut(records: readonly MirrorRecord[], limits: BatchLimits): readonly MirrorRecord[] {
  let bytes = 0;
  let count = 0;
  let whole = 0;
  for (const record of records) {
    bytes += sizeOf(record);
    if (count > 0 && bytes > limits.bytes) break;
    count += 1;
    if ('event' in record && record.event.ends) whole = count;
  }
  return records.slice(0, whole === 0 ? count : whole);
}

function sizeOf(record: MirrorRecord): number {
  if ('archived' in record) return ENVELOPE_BYTES;
  const { dataText, bodyText } = record.event;
  return ENVELOPE_BYTES + dataText.length + (bodyText?.length ?? 0);
}
