import { placeOf } from '../mirror-line.ts';
import type { LedgerHead } from '../types.ts';
import { ChainVerifier, type Fault } from '../verify.ts';
import { workspaceId } from './next-batch.ts';
import { isSame } from './outbox.ts';
import type { OutboxSource, ReplicaSink } from './ports.ts';
import type { ReplicaTally } from './types.ts';

const BATCH = 500;
const MOST_LOOKS = 5;
const REMOVING: ReadonlySet<string> = new Set(['body.erased', 'stream.archived']);
/** What is amiss only until the rest arrives: the end of a large transaction, the tombstone of what was erased before. */
const STILL_TO_COME = ['the last transaction is cut', 'the body is missing and no tombstone names it'];

/** What comparing a sink with the ledger has found. */
export interface ReplicaReport {
  readonly ok: boolean;
  readonly workspace: string | undefined;
  readonly ledger: LedgerHead & ReplicaTally;
  readonly sink: LedgerHead & Partial<ReplicaTally>;
  /** How many events the sink does not have yet; no fault. */
  readonly behind: number;
  /** Whether the sink's own data were walked, and not only its counts and head compared. */
  readonly chainWalked: boolean;
  readonly faults: readonly Fault[];
}

/** The tables that are folded here, as the sink folds them too. */
export interface FoldedHere {
  /** How many rows each has. */
  readonly rows: () => Promise<Readonly<Record<string, number>>>;
  /** The events that change them. */
  readonly types: ReadonlySet<string>;
}

interface VerifyParts {
  readonly source: OutboxSource;
  readonly sink: ReplicaSink;
  readonly folded?: FoldedHere;
}

const NOTHING = { seq: 0, hash: '', events: 0, archived: 0 };

/** Proves that a sink has what this ledger has, as far as it has come. Looks again when it moves on meanwhile. */
export async function verifyReplica(parts: VerifyParts, signal: AbortSignal): Promise<ReplicaReport> {
  const workspace = await workspaceId(parts.source);
  const empty = {
    ok: true,
    workspace,
    ledger: NOTHING,
    sink: NOTHING,
    behind: 0,
    chainWalked: false,
    faults: [],
  };
  if (workspace === undefined) return empty;
  for (let look = 1; ; look += 1) {
    const report = await compare(parts, workspace, signal);
    const { seq } = await parts.sink.position(workspace, signal);
    if (seq === report.sink.seq || look === MOST_LOOKS) return report;
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

/** Whether what the sink does not have yet changes what it has: takes content away, or changes rows. */
async function changesAfter(
  source: OutboxSource,
  seq: number,
  types: ReadonlySet<string>,
): Promise<{ readonly content: boolean; readonly rows: boolean }> {
  const later = await source.read(seq, BATCH);
  // So far behind, something will.
  if (later.length === BATCH) return { content: true, rows: true };
  const found = later.map((record) => ('event' in record ? record.event.type : undefined));
  return {
    content: found.some((type) => type === undefined || REMOVING.has(type)),
    rows: found.some((type) => type === undefined || types.has(type)),
  };
}

/** What the ledger has up to there. */
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

/** Erasures that have not arrived yet are no fault, so kinds are told apart only where none is under way. */
function compareTallies(
  ledger: ReplicaTally,
  sink: ReplicaTally,
  position: LedgerHead,
  settled: boolean,
): Fault[] {
  const faults: Fault[] = [];
  const compare = (where: string, expected: number | undefined, found: number | undefined): void => {
    if (expected !== undefined && found !== undefined && expected !== found)
      faults.push({ where, what: `the sink has ${found}, the ledger has ${expected}` });
  };
  compare('places', position.seq, sink.events + sink.archived);
  if (!settled) return faults;
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
    for (const record of records) verifier.see(record);
    seq = placeOf(records.at(-1) as (typeof records)[number]).seq;
  }
  const { head, faults } = verifier.report();
  const found = isBehind
    ? faults.filter(({ what }) => !STILL_TO_COME.some((words) => what.startsWith(words)))
    : faults;
  if (head.hash === position.hash && head.seq === position.seq) return found;
  return [
    ...found,
    { where: `seq ${head.seq}`, what: `the sink's events do not end at its head, seq ${position.seq}` },
  ];
}
