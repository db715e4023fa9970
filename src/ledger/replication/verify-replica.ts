import { placeOf } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import { ChainVerifier, type Fault } from '../verify.ts';
import { workspaceId } from './next-batch.ts';
import { isSame } from './outbox.ts';
import type { OutboxSource, ReplicaSink } from './ports.ts';
import type { ReplicaTally } from './types.ts';

const BATCH = 500;
const MAX_CHECKS = 5;
const REMOVAL_TYPES: ReadonlySet<string> = new Set(['body.erased', 'stream.archived']);
/** Faults that may vanish with later events: the end of a large transaction, the tombstone of an erased body. */
const TEMPORARY_FAULTS = ['the last transaction is cut', 'the body is missing and no tombstone names it'];

/** The result of comparing a sink with the ledger. */
export interface ReplicaReport {
  readonly ok: boolean;
  readonly workspace: string | undefined;
  readonly ledger: LedgerHead & ReplicaTally;
  readonly sink: LedgerHead & Partial<ReplicaTally>;
  /** How many events the sink does not have yet; not a fault. */
  readonly behind: number;
  /** Whether the sink's records were verified, not only its counts and head. */
  readonly chainWalked: boolean;
  readonly faults: readonly Fault[];
}

/** The local folded tables, which the sink folds too. */
export interface LocalTables {
  readonly rows: () => Promise<Readonly<Record<string, number>>>;
  /** The event types that change them. */
  readonly types: ReadonlySet<string>;
}

interface VerifyParts {
  readonly source: OutboxSource;
  readonly sink: ReplicaSink;
  readonly folded?: LocalTables;
}

const EMPTY_REPORT = { seq: 0, hash: '', events: 0, archived: 0 };

/** Verifies that a sink has the content of this ledger up to its position. Checks again when the sink advances meanwhile. */
export async function verifyReplica(parts: VerifyParts, signal: AbortSignal): Promise<ReplicaReport> {
  const workspace = await workspaceId(parts.source);
  const empty = {
    ok: true,
    workspace,
    ledger: EMPTY_REPORT,
    sink: EMPTY_REPORT,
    behind: 0,
    chainWalked: false,
    faults: [],
  };
  if (workspace === undefined) return empty;
  for (let check = 1; ; check += 1) {
    const report = await compare(parts, workspace, signal);
    const { seq } = await parts.sink.position(workspace, signal);
    if (seq === report.sink.seq || check === MAX_CHECKS) return report;
  }
}

async function compare(
  { source, sink, folded }: VerifyParts,
  workspace: string,
  signal: AbortSignal,
): Promise<ReplicaReport> {
  const position = await sink.position(workspace, signal);
  const stored = await sink.tally(workspace, signal);
  const chainWalked = sink.read !== undefined;
  const counted = await count(source, position.seq);
  const rows = await folded?.rows();
  const head = await source.head();
  const behind = head.seq - position.seq;
  const changed = await changesAfter(source, position.seq, folded?.types ?? new Set());
  const ledger = { ...counted, ...(rows === undefined || changed.rows ? {} : { rows }) };
  const faults: Fault[] = [];
  if (!(await isSame(source, position)))
    faults.push({ where: `seq ${position.seq}`, what: 'the head there is not the one of this ledger' });
  if (stored) faults.push(...compareTallies(ledger, stored, position, !changed.content));
  if (chainWalked) faults.push(...(await walk(sink, workspace, position, behind > 0, signal)));
  return {
    ok: faults.length === 0,
    workspace,
    ledger: { ...head, ...ledger },
    sink: { ...position, ...stored },
    behind,
    chainWalked,
    faults,
  };
}

/** Whether events after the sink's position erase content or change rows. */
async function changesAfter(
  source: OutboxSource,
  seq: number,
  types: ReadonlySet<string>,
): Promise<{ readonly content: boolean; readonly rows: boolean }> {
  const later = await source.read(seq, BATCH);
  // With so many pending events, assume that some do.
  if (later.length === BATCH) return { content: true, rows: true };
  const found = later.map((record) => ('event' in record ? record.event.type : undefined));
  return {
    content: found.some((type) => type === undefined || REMOVAL_TYPES.has(type)),
    rows: found.some((type) => type === undefined || types.has(type)),
  };
}

/** Counts the ledger's records up to `upTo`. */
async function count(source: OutboxSource, upTo: number): Promise<Required<Omit<ReplicaTally, 'rows'>>> {
  const found = { events: 0, archived: 0, bodies: 0 };
  for (let seq = 0; seq < upTo; ) {
    const records = await source.read(seq, Math.min(BATCH, upTo - seq));
    if (records.length === 0) break;
    for (const record of records) {
      if ('archived' in record) found.archived += 1;
      else {
        found.events += 1;
        if (record.event.bodyText !== null) found.bodies += 1;
      }
      seq = placeOf(record).seq;
    }
  }
  return found;
}

/** Pending erasures are not a fault, so bodies and archived records are compared only where none is pending. */
function compareTallies(
  ledger: ReplicaTally,
  sink: ReplicaTally,
  position: LedgerHead,
  compareContent: boolean,
): Fault[] {
  const faults: Fault[] = [];
  const compare = (where: string, expected: number | undefined, found: number | undefined): void => {
    if (expected !== undefined && found !== undefined && expected !== found)
      faults.push({ where, what: `the sink has ${found}, the ledger has ${expected}` });
  };
  compare('places', position.seq, sink.events + sink.archived);
  if (!compareContent) return faults;
  compare('events', ledger.events, sink.events);
  compare('archived events', ledger.archived, sink.archived);
  compare('bodies', ledger.bodies, sink.bodies);
  for (const [table, rows] of Object.entries(sink.rows ?? {}))
    compare(`table ${table}`, ledger.rows?.[table], rows);
  return faults;
}

async function walk(
  sink: ReplicaSink,
  workspace: string,
  position: LedgerHead,
  isBehind: boolean,
  signal: AbortSignal,
): Promise<readonly Fault[]> {
  const verifier = new ChainVerifier();
  for (let seq = 0; seq < position.seq; ) {
    const limit = Math.min(BATCH, position.seq - seq);
    const records = (await sink.read?.(workspace, seq, limit, signal)) ?? [];
    if (records.length === 0) break;
    for (const record of records) verifier.add(record);
    seq = placeOf(records.at(-1) as (typeof records)[number]).seq;
  }
  const { head, faults } = verifier.report();
  const found = isBehind
    ? faults.filter(({ what }) => !TEMPORARY_FAULTS.some((words) => what.startsWith(words)))
    : faults;
  if (head.hash === position.hash && head.seq === position.seq) return found;
  return [
    ...found,
    { where: `seq ${head.seq}`, what: `the sink's events do not end at its head, seq ${position.seq}` },
  ];
}
