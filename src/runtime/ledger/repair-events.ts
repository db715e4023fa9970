// Owns: making the database and the mirror sound and equal again. Does not own: blobs and the vault.
// I1 Every sound event of either copy is kept. Where a person has to choose or to accept a loss, nothing is changed.
// I2 What is replaced is kept under another name.
import {
  type LedgerCheck,
  LedgerView,
  readSnapshot,
  rebuildDatabase,
  requireExclusive,
} from '../../adapters/sqlite/index.ts';
import { compareMirror, readLines, recordOf, type WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { Fault, LedgerBranch, RepairAnswer, RepairRequest } from '../../api/index.ts';
import { type Clock, isOkaError } from '../../kernel/index.ts';
import {
  type LedgerCopy,
  type LedgerHead,
  type LostRecords,
  type MergeOptions,
  type MergeOutcome,
  type MirrorRecord,
  mergeRecords,
  placeOf,
} from '../../ledger/index.ts';
import { PROJECTIONS } from '../services/extensions.ts';
import { checkDatabase } from './check-database.ts';

export interface RepairEventsParts {
  readonly folder: WorkspaceFolder;
  readonly clock: Clock;
}

/** The repairs of database and mirror, or the choice that a person has to make first. */
export interface EventsRepair extends Omit<RepairAnswer, 'ok'> {
  readonly isDecided: boolean;
  /** What was left out, to be recorded in the repaired ledger. */
  readonly lost?: LostRecords;
}

interface Findings {
  readonly merge: MergeOutcome;
  readonly isDatabaseSound: boolean;
  readonly isMirrorSound: boolean;
  readonly branches: readonly LedgerBranch[];
  /** The merge that leaves out only what no copy can prove. */
  readonly salvaged: MergeOutcome;
}

/** Makes the database sound. A mirror that is not is removed, and written again when the ledger is opened. */
export async function repairEvents(
  { folder, clock }: RepairEventsParts,
  request: RepairRequest,
): Promise<EventsRepair> {
  await requireExclusive(folder.database);
  const { keep } = request;
  const options = { keep, acceptLoss: request.acceptLoss && keep === undefined };
  const found = await readCopies(folder, (copies) => findOut(copies, folder, options));
  const { merge } = found;
  const undecided = decisionNeeded(found, request);
  if (undecided !== undefined) return { ...undecided, isDecided: false };
  const repaired: string[] = [];
  const kept: string[] = [];
  const suffix = `before-repair-${clock.now()}`;
  if (!found.isMirrorSound && folder.sizes().mirror > 0) kept.push(folder.backUpMirror(suffix));
  if (!found.isDatabaseSound) {
    const before = await rebuild(folder, clock, { options, suffix });
    if (before !== undefined) kept.push(before);
    const { onlyIn } = merge;
    repaired.push(
      `Rebuilt the database with ${merge.head.seq} events, ${onlyIn.mirror} of them found only in run_ledger.jsonl and ${onlyIn.database} only in the database.`,
    );
  }
  if (!found.isMirrorSound) {
    // The next process that opens the ledger writes the missing file from the now sound database.
    folder.removeMirror();
    repaired.push('Wrote run_ledger.jsonl again from the database.');
  }
  const lost = merge.unused.database + merge.unused.mirror + merge.incomplete;
  if (lost > 0)
    repaired.push(`Left out ${lost} records that do not continue the chain; the kept files have them.`);
  const { lost: left } = merge;
  if (left.seqs.length > 0) repaired.push(`Left out ${listOf(left.seqs)}, which no copy can prove.`);
  if (left.bodies.length > 0)
    repaired.push(
      `Left out the damaged content of ${left.bodies.length === 1 ? '1 event' : `${left.bodies.length} events`}.`,
    );
  return { isDecided: true, repaired, kept, faults: [], next: [], lost: left };
}

const MAX_LISTED = 10;

function listOf(seqs: readonly number[]): string {
  if (seqs.length === 1) return `event ${seqs[0]}`;
  const more = seqs.length > MAX_LISTED ? ` and ${seqs.length - MAX_LISTED} more` : '';
  return `the events ${seqs.slice(0, MAX_LISTED).join(', ')}${more}`;
}

interface Copies {
  /** Undefined where the file is no database. */
  readonly check?: () => Promise<LedgerCheck>;
  readonly records: (copy: LedgerCopy) => Iterable<MirrorRecord>;
}

/** Reads both copies in one view of the database, or the mirror alone where there is no database to read. */
async function readCopies<T>(folder: WorkspaceFolder, work: (copies: Copies) => Promise<T>): Promise<T> {
  const mirror = (): Iterable<MirrorRecord> => mirrorRecords(folder.mirror);
  const mirrorOnly: Copies = { records: (copy) => (copy === 'mirror' ? mirror() : []) };
  if (folder.sizes().database === 0) return work(mirrorOnly);
  try {
    return await readSnapshot(folder.database, (database) => {
      const view = new LedgerView(database, PROJECTIONS);
      return work({
        check: () => checkDatabase({ database, file: folder.database }),
        records: (copy) => (copy === 'mirror' ? mirror() : view.readableRecords()),
      });
    });
  } catch (error) {
    if (!isOkaError(error, 'ledger.damaged')) throw error;
    return work(mirrorOnly);
  }
}

function* mirrorRecords(file: string): Generator<MirrorRecord> {
  for (const { line, complete } of readLines(file)) {
    const record = complete ? recordOf(line) : undefined;
    if (record !== undefined) yield record;
  }
}

async function findOut(
  { check, records }: Copies,
  folder: WorkspaceFolder,
  options: MergeOptions,
): Promise<Findings> {
  const copies = () => ({ database: records('database'), mirror: records('mirror') });
  const merge = outcomeOf(mergeRecords(copies(), options));
  const { seqs, bodies } = merge.lost;
  const isDatabaseSound =
    check !== undefined &&
    merge.onlyIn.mirror === 0 &&
    merge.unused.database === 0 &&
    seqs.length + bodies.length === 0 &&
    (await check()).faults.length === 0;
  const comparison = compareMirror(readLines(folder.mirror), mergeRecords(copies(), options));
  const isMirrorSound = comparison.faults.length + comparison.behind + comparison.unremoved === 0;
  const branches = merge.isDiverged
    ? (['database', 'mirror'] as const).map((copy) => branchOf(copy, records(copy), merge.head))
    : [];
  const salvaged =
    merge.unused.database + merge.unused.mirror === 0
      ? merge
      : outcomeOf(mergeRecords(copies(), { acceptLoss: true }));
  return { merge, isDatabaseSound, isMirrorSound, branches, salvaged };
}

function outcomeOf<T>(steps: Generator<unknown, T>): T {
  for (;;) {
    const { done, value } = steps.next();
    if (done) return value;
  }
}

/** The choice that a person has to make before anything changes. */
function decisionNeeded(
  { merge, branches, salvaged }: Findings,
  request: RepairRequest,
): Omit<EventsRepair, 'isDecided'> | undefined {
  const nothing = { repaired: [], kept: [] };
  if (merge.isDiverged) {
    const what = `The database and run_ledger.jsonl continue differently after event ${merge.head.seq}.`;
    return {
      ...nothing,
      diverged: { afterSeq: merge.head.seq, branches },
      faults: [{ where: 'mirror', what }],
      next: ['oka ledger repair --keep database', 'oka ledger repair --keep mirror'],
    };
  }
  const lost = merge.unused.database + merge.unused.mirror;
  if (lost === 0 || request.acceptLoss || request.keep !== undefined) return undefined;
  const fault: Fault = {
    where: `seq ${merge.head.seq + 1}`,
    what: `is damaged in the database and in run_ledger.jsonl; of the records after event ${merge.head.seq}, a repair that accepts the loss keeps ${salvaged.head.seq - merge.head.seq - salvaged.lost.seqs.length}`,
  };
  return {
    ...nothing,
    faults: [fault],
    next: ['oka backup restore FILE --replace', 'oka ledger repair --accept-loss'],
  };
}

function branchOf(source: LedgerCopy, records: Iterable<MirrorRecord>, after: LedgerHead): LedgerBranch {
  const types: Record<string, number> = {};
  const runs = new Set<string>();
  const times: number[] = [];
  let events = 0;
  for (const record of records) {
    if (placeOf(record).seq <= after.seq) continue;
    events += 1;
    if (!('event' in record)) continue;
    const { type, stream, at } = record.event;
    types[type] = (types[type] ?? 0) + 1;
    if (stream.startsWith('run/')) runs.add(stream.slice('run/'.length));
    times.push(at);
  }
  const [firstAt, lastAt] = [times[0], times.at(-1)];
  return {
    source,
    events,
    ...(firstAt === undefined ? {} : { firstAt }),
    ...(lastAt === undefined ? {} : { lastAt }),
    runs: [...runs],
    types,
  };
}

/** Builds a database from the sound events of both copies and puts it in place. Returns the name of the old one. */
async function rebuild(
  folder: WorkspaceFolder,
  clock: Clock,
  { options, suffix }: { readonly options: MergeOptions; readonly suffix: string },
): Promise<string | undefined> {
  const file = `${folder.database}.rebuilt`;
  folder.discard(file);
  try {
    await readCopies(folder, async ({ records }) =>
      rebuildDatabase({
        file,
        records: mergeRecords({ database: records('database'), mirror: records('mirror') }, options),
        projections: PROJECTIONS,
        now: () => clock.now(),
      }),
    );
    await requireExclusive(folder.database);
    return folder.replaceDatabase(file, suffix);
  } finally {
    folder.discard(file);
  }
}
