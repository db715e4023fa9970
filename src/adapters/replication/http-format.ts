import { parseJson } from '../../kernel/index.ts';
import {
  changesOf,
  type EventRecord,
  type LedgerHead,
  type Projection,
  type ReplicaBatch,
  type ReplicaTally,
} from '../../ledger/index.ts';

/** The version of the format in docs/formats/replication.md. */
const SHAPE_VERSION = 1;

/** The body of a batch request. */
export function batchBody(batch: ReplicaBatch, projections: readonly Projection[]): string {
  const { workspace, after, head, records, key } = batch;
  return JSON.stringify({
    version: SHAPE_VERSION,
    kind: 'batch',
    workspace,
    after: { seq: after.seq, head: after.hash },
    from: after.seq + 1,
    to: head.seq,
    head: head.hash,
    key,
    events: records.map((record) =>
      'event' in record ? eventBody(record.event) : { ...record.archived, archived: true },
    ),
    changes: changesOf(records, projections).map(({ seq, change }) => ({ seq, ...change })),
  });
}

/** The body of a position request. */
export function questionBody(workspace: string): string {
  return JSON.stringify({ version: SHAPE_VERSION, kind: 'question', workspace });
}

/** Data and body are the exact hashed texts, so that the chain can be verified without canonical JSON. */
function eventBody(event: EventRecord) {
  const { seq, stream, index, type, at, actor, ends, dataText, bodyText, salt, bodyDigest, chain } = event;
  return {
    seq,
    stream,
    index,
    type,
    at,
    actor,
    ends,
    data: dataText,
    ...(bodyText === null ? {} : { body: bodyText, salt }),
    ...(bodyDigest === null ? {} : { bodyDigest }),
    chain,
  };
}

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
    value = parseJson(text);
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
