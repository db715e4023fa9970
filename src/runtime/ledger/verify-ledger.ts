// Owns: verifying that database, mirror, blobs and vault match the record. Reads only.
// I1 The database is read in one view on its own connection, so that live writers cause no fault and are not blocked.
// I2 The size of the mirror is read before that view: every line up to it is in the view, so an extra line is a fault.
// The signed head is read before that view too: every event that it covers is in the view.
// I3 While others write, a fault is checked again in a new view before it is reported: damage persists, a race does not.
// Others write if the head moves, but also if only the files change: an erasure rewrites the mirror and removes blobs after its
// event is in the view.
import { LedgerView, readSnapshot, SqliteTables } from '../../adapters/sqlite/index.ts';
import {
  compareMirror,
  type Line,
  type MirrorComparison,
  readLines,
  recordOf,
  type SignedHeads,
  type VerifiedMark,
  VerifiedMarks,
  type WorkspaceFolder,
} from '../../adapters/workspace/index.ts';
import type { VerifyAnswer, VerifyProgress } from '../../api/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import { type Clock, counting, OkaError } from '../../kernel/index.ts';
import { EMPTY_LEDGER, type Fault, type HeadSource, placeOf, type SqlTables } from '../../ledger/index.ts';
import { blobsOf, PROJECTIONS } from '../services/extensions.ts';
import { checkBlobs, isFaultOf } from './check-blobs.ts';
import { checkDatabase } from './check-database.ts';
import { checkHeads, type HeadsCheck, NOT_SIGNED } from './check-heads.ts';
import { withSummary } from './verification-summary.ts';

/** The maximum number of views while others write and a fault is suspected. */
const MAX_ATTEMPTS = 10;

/**
 * A verification that takes longer by its amount of data may continue from an earlier one. 60,000 facts (a database of 76 MB and a
 * mirror of 32 MB) took 16 s of one core; a core hashes files at 300 MB/s and more.
 */
const MAX_SECONDS = 10;
const LEDGER_BYTES_PER_SECOND = 6_500_000;
const BLOB_BYTES_PER_SECOND = 300_000_000;

export interface VerifyParts {
  readonly folder: WorkspaceFolder;
  readonly artifacts: Pick<ArtifactStore, 'get' | 'list'>;
  readonly clock: Clock;
  readonly heads: SignedHeads;
  /** Problems of the vault, for the credentials in these tables. */
  readonly vaultFaults: (tables: SqlTables) => Promise<readonly Fault[]>;
}

export interface VerifyOptions {
  /** Verifies again what was verified before, however long that takes. */
  readonly full?: boolean;
  readonly maxSeconds?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (progress: VerifyProgress) => void;
}

/** Verifies the ledger of a workspace. Only a large one continues from the last full verification, unless `full` is given. */
export async function verifyLedger(parts: VerifyParts, options: VerifyOptions = {}): Promise<VerifyAnswer> {
  const { folder } = parts;
  const marks = new VerifiedMarks(folder.directory);
  folder.requireDatabase();
  if (folder.sizes().database === 0) return verifyNothing(parts);
  const { full, maxSeconds = MAX_SECONDS } = options;
  const mark = full || (await secondsFor(parts)) <= maxSeconds ? undefined : marks.read();
  const { answer, mirrorOffset } = await untilCurrent(() => verifyOnce(parts, options, mark));
  if (!answer.ok) marks.clear();
  else if (answer.full && mirrorOffset !== undefined)
    marks.write({ head: answer.head, mirrorOffset, at: parts.clock.now() });
  return answer;
}

/** Verifies again while a fault is found and others write. */
export async function untilCurrent<T extends Attempt>(verify: () => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const found = await verify();
    if (found.answer.ok || attempt === MAX_ATTEMPTS || (await found.isCurrent())) return found;
  }
}

/** About how long a full verification takes, by the amount of data. */
async function secondsFor({ folder, artifacts }: VerifyParts): Promise<number> {
  const { database, mirror } = folder.sizes();
  const blobs = (await artifacts.list()).reduce((sum, { bytes }) => sum + bytes, 0);
  return (database + mirror) / LEDGER_BYTES_PER_SECOND + blobs / BLOB_BYTES_PER_SECOND;
}

/** A ledger without a database. That is a fault if one was signed. */
async function verifyNothing({ heads }: VerifyParts): Promise<VerifyAnswer> {
  const nothing: HeadSource = { head: () => EMPTY_LEDGER, chainAt: () => undefined };
  const known = heads.known();
  const { faults } = await checkHeads(known, heads, nothing);
  return withSummary({
    ...{ ok: faults.length === 0, full: true, events: 0, archived: 0, streams: 0, head: EMPTY_LEDGER },
    ...{ mirrorEqual: true, blobs: 0, faults, notes: [] },
    ...(faults.length > 0 ? { repair: 'oka ledger repair' } : {}),
  });
}

/** Writing creates the file before the first event, so it was deleted. */
const MIRROR_MISSING: Fault = { where: 'mirror', what: 'run_ledger.jsonl is missing' };

interface Attempt {
  readonly answer: VerifyAnswer;
  /** Whether the ledger is unchanged since this attempt began. */
  readonly isCurrent: () => Promise<boolean>;
}

async function verifyOnce(
  parts: VerifyParts,
  options: VerifyOptions,
  mark: VerifiedMark | undefined,
): Promise<Attempt & { readonly mirrorOffset?: number }> {
  const { folder } = parts;
  const startVersion = folder.filesVersion;
  const mirrorSize = folder.sizes().mirror;
  const { hasMirror } = folder;
  const known = parts.heads.known();
  return readSnapshot(folder.database, async (database, incomplete) => {
    const view = new LedgerView(database, PROJECTIONS);
    const head = ifReadable(() => view.head(), undefined);
    const isMarkSound =
      mark !== undefined && ifReadable(() => view.chainAt(mark.head.seq), '') === mark.head.hash;
    const since = isMarkSound ? mark : undefined;
    const needed = new Set<string>();
    const check = await checkDatabase(
      { database, file: folder.database },
      {
        ...(since ? { after: since.head } : {}),
        onEvent: (event) => {
          for (const digest of blobsOf(event)) needed.add(digest);
        },
      },
      (seq) => report(options, { phase: 'events', done: seq, total: head?.seq ?? seq }),
    );
    const mirror: MirrorComparison = ifReadable(
      () =>
        compareMirror(
          counting(linesFrom(folder.mirror, mirrorSize, since), (done) =>
            report(options, { phase: 'mirror', done, total: (head?.seq ?? 0) - (since?.head.seq ?? 0) }),
          ),
          view.records(since ? since.head.seq - 1 : 0),
        ),
      { faults: [], behind: 0, unremoved: 0 },
    );
    const lost = ifReadable(() => view.lostBlobs(), new Set<string>());
    const blobs = await verifyBlobs(parts, options, { needed, lost, isFull: since === undefined });
    // Where the copies contradict each other, that is the fault to mend first.
    const signed: HeadsCheck =
      mirror.faults.length > 0
        ? { faults: [], notes: [] }
        : await checkHeads(known, parts.heads, view).catch(() => NOT_SIGNED);
    const isMirrorMissing = !hasMirror && (head?.seq ?? 0) > 0;
    const faults = [
      ...check.faults,
      ...signed.faults,
      ...(isMirrorMissing ? [MIRROR_MISSING] : []),
      ...mirror.faults,
      ...blobs.faults,
      ...(await parts.vaultFaults(new SqliteTables(database, folder.database))),
    ];
    const { events, archived, streams } = check.report;
    const counts = ifReadable(() => view.counts(), { events, archived, streams });
    const answer = withSummary({
      ok: faults.length === 0,
      full: since === undefined,
      ...(since === undefined
        ? { ...counts, mirrorEqual: mirror.faults.length + mirror.behind + mirror.unremoved === 0 }
        : {
            ...{ events, archived, streams },
            since: { seq: since.head.seq, at: since.at, events: counts.events - events },
          }),
      head: check.report.head,
      blobs: blobs.checked,
      ...(signed.signed === undefined ? {} : { signed: signed.signed }),
      faults: faults.map(({ where, what }) => ({ where, what })),
      notes: [
        ...(incomplete ? [incomplete] : []),
        ...(isMirrorMissing ? [] : notesOnMirror(mirror)),
        ...blobs.notes,
        ...signed.notes,
      ],
      ...(faults.length > 0 ? { repair: 'oka ledger repair' } : {}),
    });
    const isCurrent = (): Promise<boolean> =>
      readSnapshot(folder.database, async (now) => {
        const newest = ifReadable(() => new LedgerView(now, PROJECTIONS).head(), undefined);
        return (
          newest?.seq === head?.seq && newest?.hash === head?.hash && folder.filesVersion === startVersion
        );
      });
    const last = mirror.lastEqual?.seq === answer.head.seq ? mirror.lastEqual.offset : undefined;
    return { answer, isCurrent, ...(last === undefined ? {} : { mirrorOffset: last }) };
  });
}

/** The readable part of a damaged file; the check reports the damage. */
function ifReadable<T, Otherwise>(read: () => T, otherwise: Otherwise): T | Otherwise {
  try {
    return read();
  } catch {
    return otherwise;
  }
}

function report({ signal, onProgress }: VerifyOptions, progress: VerifyProgress): void {
  if (signal?.aborted)
    throw new OkaError('engine.cancelled', 'The verification was cancelled. It changed nothing.');
  onProgress?.(progress);
}

/** The lines of the mirror, from the last verified one if the mark still matches. */
function linesFrom(file: string, size: number, since: VerifiedMark | undefined): Iterable<Line> {
  if (since === undefined) return readLines(file, { to: size });
  const [line] = readLines(file, { from: since.mirrorOffset, to: size });
  const record = line?.complete ? recordOf(line.line) : undefined;
  const isThere = record !== undefined && placeOf(record).hash === since.head.hash;
  // Otherwise the lines were rewritten since; the newest are still compared.
  return isThere
    ? readLines(file, { from: since.mirrorOffset, to: size })
    : skipTo(since.head.seq, readLines(file, { to: size }));
}

function* skipTo(seq: number, lines: Iterable<Line>): Generator<Line> {
  let isThere = false;
  for (const line of lines) {
    isThere ||= Number(/^\{"seq":(\d+),/.exec(line.line)?.[1]) >= seq;
    if (isThere) yield line;
  }
}

async function verifyBlobs(
  { artifacts }: VerifyParts,
  options: VerifyOptions,
  { needed, lost, isFull }: { needed: ReadonlySet<string>; lost: ReadonlySet<string>; isFull: boolean },
): Promise<{
  readonly checked: number;
  readonly faults: readonly Fault[];
  readonly notes: readonly string[];
}> {
  const stored = isFull ? (await artifacts.list()).map(({ digest }) => digest) : [];
  const digests = new Set([...needed, ...stored]);
  let done = 0;
  const found = (
    await checkBlobs(artifacts, digests, () => {
      done += 1;
      report(options, { phase: 'blobs', done, total: digests.size });
    })
  ).filter(isFaultOf(needed));
  const faults = found.filter(({ digest }) => !lost.has(digest));
  const known = found.length - faults.length;
  const notes =
    known === 0
      ? []
      : [`The content of ${known === 1 ? '1 blob' : `${known} blobs`} is lost, as the ledger records.`];
  return { checked: digests.size, faults, notes };
}

function notesOnMirror({ behind, unremoved }: MirrorComparison): string[] {
  const notes: string[] = [];
  if (behind > 0)
    notes.push(
      `run_ledger.jsonl does not have the newest ${behind === 1 ? 'event' : `${behind} events`} yet; the next command that writes completes it.`,
    );
  if (unremoved > 0)
    notes.push(
      `run_ledger.jsonl still holds what was erased from ${unremoved === 1 ? '1 event' : `${unremoved} events`}; the next command that writes removes it.`,
    );
  return notes;
}
