import { changesOf, type EventRecord, type Projection, type ReplicaBatch } from '../../ledger/index.ts';

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
