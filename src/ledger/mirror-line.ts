import { canonicalJson, OkaError } from '../kernel/index.ts';
import { mirrorLine } from './event.ts';
import type { EventRecord, LedgerHead } from './types.ts';

/** The position of an archived event in the chain, as the mirror stores it. */
export interface ArchivedRecord {
  readonly seq: number;
  readonly chain: string;
}

/** The mirror line of an archived event. */
export function archivedLine(record: ArchivedRecord): string {
  return `{"seq":${record.seq},"archived":true,"chain":"${record.chain}"}`;
}

export type MirrorRecord = { readonly event: EventRecord } | { readonly archived: ArchivedRecord };

/** The position of a record in the ledger. */
export function placeOf(record: MirrorRecord): LedgerHead {
  const { seq, chain } = 'event' in record ? record.event : record.archived;
  return { seq, hash: chain };
}

/** The mirror line of a record, without its newline. */
export function lineOfRecord(record: MirrorRecord): string {
  return 'event' in record ? mirrorLine(record.event) : archivedLine(record.archived);
}

interface LineShape {
  seq: number;
  archived?: true;
  stream: string;
  index: number;
  type: string;
  at: number;
  actor: string;
  ends: boolean;
  data: unknown;
  body?: unknown;
  salt?: string;
  bodyDigest?: string;
  chain: string;
}

/** Parses a line. Throws `ledger.damaged` if `mirrorLine` could not have written it. */
export function parseMirrorLine(line: string): MirrorRecord {
  const text = line.trimEnd();
  let shape: LineShape;
  try {
    shape = JSON.parse(text) as LineShape;
  } catch (cause) {
    throw damaged('it is not JSON', cause);
  }
  if (shape === null || typeof shape !== 'object' || !Number.isSafeInteger(shape.seq))
    throw damaged('it has no seq');
  try {
    const record = fromShape(shape);
    if (lineOfRecord(record) === text) return record;
  } catch (cause) {
    throw damaged('a field is missing', cause);
  }
  throw damaged('it is not in canonical form');
}

function fromShape(shape: LineShape): MirrorRecord {
  const { seq, stream, index, type, at, actor, ends, chain } = shape;
  if (shape.archived) return { archived: { seq, chain } };
  const dataText = canonicalJson(shape.data);
  const bodyText = shape.body === undefined ? null : canonicalJson(shape.body);
  const [salt, bodyDigest] = [shape.salt ?? null, shape.bodyDigest ?? null];
  return {
    event: { seq, stream, index, type, at, actor, ends, dataText, bodyText, salt, bodyDigest, chain },
  };
}

function damaged(why: string, cause?: unknown): OkaError<'ledger.damaged'> {
  return new OkaError('ledger.damaged', `The line cannot be read: ${why}.`, { cause });
}
