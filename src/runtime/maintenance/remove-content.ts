// Owns: removing streams and bodies from a ledger to free space, and deleting artifacts without references.
// Does not own: what is removed (collect-garbage.ts, retention.ts).
// I1 The database goes first, one group of streams whole in one transaction; then the mirror, then artifacts. After a crash in
//    between, the next writer completes the mirror, and artifacts that nothing names go with the next removal.
import { ensureMemoryIndex } from '../../adapters/sqlite/index.ts';
import type { WorkspaceFolder } from '../../adapters/workspace/index.ts';
import type { ArtifactStore } from '../../engine/index.ts';
import type { Digest } from '../../kernel/index.ts';
import type { CleanupReason, EventAddress } from '../../ledger/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';

/** A younger artifact may belong to a commit in progress. */
const SETTLED_MS = 3_600_000;
/** A new run may be pinned to the same graph as an ended one; the engine checks for it at least every minute. */
const PINNED_MS = 600_000;
/** Other writers wait for a transaction, so each archives or erases at most this much. */
const BATCH_STREAMS = 200;
const BATCH_BODIES = 2_000;

/** A stored body and the artifacts that it references. */
export interface Body extends EventAddress {
  readonly bytes: number;
  readonly at: number;
  readonly digests: readonly string[];
}

/** The content of the ledger, read once. */
export interface Survey {
  /** The streams to remove, and their content. */
  readonly gone: ReadonlySet<string>;
  readonly goneBytes: number;
  /** The requested bodies. */
  readonly bodies: readonly Body[];
  /** Artifacts referenced by the streams to remove. */
  readonly released: Set<string>;
  /** Artifacts referenced by everything else, without the bodies above. */
  readonly named: Set<string>;
  /** Graphs and tools that runs are pinned to. */
  readonly graphs: Set<string>;
  /** The same for the runs to remove. */
  readonly releasedPins: Set<string>;
  readonly through: number;
}

/** Reads the whole ledger once. */
export async function surveyLedger(
  ledger: OpenLedger,
  gone: ReadonlySet<string>,
  isWanted: (event: EventAddress) => boolean,
): Promise<Survey> {
  await ledger.refresh();
  const survey = {
    gone,
    goneBytes: 0,
    bodies: [] as Body[],
    released: new Set<string>(),
    named: new Set<string>(),
    graphs: new Set<string>(),
    releasedPins: new Set<string>(),
    through: 0,
  };
  for (const record of ledger.archive.records()) {
    survey.through = 'event' in record ? record.event.seq : record.archived.seq;
    if (!('event' in record)) continue;
    const { stream, index, at, type, dataText, bodyText } = record.event;
    if (gone.has(stream)) {
      survey.goneBytes += Buffer.byteLength(dataText) + Buffer.byteLength(bodyText ?? '');
      collectDigests(dataText + (bodyText ?? ''), survey.released);
      if (type === 'run.started') collectDigests(dataText, survey.releasedPins);
      continue;
    }
    collectDigests(dataText, survey.named);
    if (type === 'run.started') collectDigests(dataText, survey.graphs);
    if (bodyText === null) continue;
    if (isWanted({ stream, index }))
      survey.bodies.push({
        stream,
        index,
        at,
        bytes: Buffer.byteLength(bodyText),
        digests: digestsIn(bodyText),
      });
    else collectDigests(bodyText, survey.named);
  }
  return survey;
}

export interface Removal {
  readonly survey: Survey;
  /** The streams of the survey, in groups of one transaction each. */
  readonly groups: readonly (readonly string[])[];
  /** Those of the survey's bodies to erase. */
  readonly bodies: readonly Body[];
  readonly by: string;
  readonly reason: CleanupReason;
  readonly dryRun: boolean;
}

export interface RemovalParts {
  readonly ledger: OpenLedger;
  readonly artifacts: ArtifactStore;
  readonly folder: Pick<WorkspaceFolder, 'discardBackups'>;
  readonly now: number;
}

/** Removes the content, or reports the result without removing it. */
export async function removeContent(
  parts: RemovalParts,
  removal: Removal,
): Promise<{ readonly deletedArtifacts: number; readonly freedBytes: number }> {
  if (!removal.dryRun) await removeFromLedger(parts, removal);
  const orphans = await unreferenced(parts, removal);
  if (!removal.dryRun) for (const { digest } of orphans) await parts.artifacts.delete(digest);
  const freedBytes = [...removal.bodies, ...orphans].reduce(
    (sum, { bytes }) => sum + bytes,
    removal.survey.goneBytes,
  );
  return { deletedArtifacts: orphans.length, freedBytes };
}

async function removeFromLedger({ ledger, folder }: RemovalParts, removal: Removal): Promise<void> {
  const { groups, bodies, by, reason } = removal;
  if (groups.length === 0 && bodies.length === 0) return;
  // Fails before anything is removed if the mirror cannot be rewritten now.
  await ledger.mirror.settle();
  if (bodies.length > 0) ensureMemoryIndex(ledger.database);
  folder.discardBackups();
  for (const streams of batchesOf(groups)) await ledger.archive.archive(streams, by, reason);
  for (let from = 0; from < bodies.length; from += BATCH_BODIES)
    await ledger.archive.erase(bodies.slice(from, from + BATCH_BODIES).map(addressOf), by, reason);
  await ledger.settleErasure();
}

/** Combines groups up to the limit; a larger group is alone. */
function* batchesOf(groups: readonly (readonly string[])[]): Generator<readonly string[]> {
  let batch: string[] = [];
  for (const group of groups) {
    if (batch.length > 0 && batch.length + group.length > BATCH_STREAMS) {
      yield batch;
      batch = [];
    }
    batch.push(...group);
  }
  if (batch.length > 0) yield batch;
}

/** Artifacts without references: those just released, and old ones that never had one. */
async function unreferenced(
  { ledger, artifacts, now }: RemovalParts,
  { survey, bodies }: Removal,
): ReturnType<ArtifactStore['list']> {
  const { released, releasedPins, named, graphs } = survey;
  const erased = new Set(bodies);
  for (const body of survey.bodies)
    for (const digest of body.digests) (erased.has(body) ? released : named).add(digest);
  const stored = (await artifacts.list()).filter(
    ({ digest, storedAt }) =>
      storedAt <= now - (releasedPins.has(digest) ? PINNED_MS : SETTLED_MS) ||
      (released.has(digest) && !releasedPins.has(digest)),
  );
  if (stored.length === 0) return [];
  // Events written since the survey may reference one of them again.
  await ledger.refresh();
  for (const record of ledger.archive.records(survey.through)) {
    if (!('event' in record)) continue;
    const { type, dataText, bodyText } = record.event;
    if (type === 'run.started') collectDigests(dataText, graphs);
    collectDigests(dataText + (bodyText ?? ''), named);
  }
  await addUsedGraphs(artifacts, graphs);
  return stored.filter(({ digest }) => !named.has(digest) && !graphs.has(digest));
}

/** A pinned graph references the graphs that it may start later. */
export async function addUsedGraphs(artifacts: ArtifactStore, graphs: Set<string>): Promise<void> {
  for (const digest of graphs) {
    const bytes = await artifacts.get(digest as Digest);
    if (bytes) collectDigests(new TextDecoder().decode(bytes), graphs);
  }
}

/** An event's address as a key. */
export function addressKey({ stream, index }: EventAddress): string {
  return `${stream} ${index}`;
}

function addressOf({ stream, index }: EventAddress): EventAddress {
  return { stream, index };
}

function digestsIn(text: string): readonly string[] {
  return text.match(/[0-9a-f]{64}/g) ?? [];
}

export function collectDigests(text: string, into: Set<string>): void {
  for (const digest of digestsIn(text)) into.add(digest);
}
