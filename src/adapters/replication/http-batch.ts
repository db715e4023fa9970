import { changesOf, type EventRecord, type Projection, type ReplicaBatch } from '../../ledger/index.ts';

/** The version of the shape that docs/formats/replication.md describes. */
const SHAPE_VERSION = 1;

/** A batch as it is posted. */
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

/** The question where the endpoint stands. */
export function questionBody(workspace: string): string {
  return JSON.stringify({ version: SHAPE_VERSION, kind: 'question', workspace });
}

/** Data and body are texts exactly as hashed, so that the chain can be checked without a canonical form of JSON. */
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
