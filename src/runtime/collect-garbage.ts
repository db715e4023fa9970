import type { GcAnswer, GcRequest } from '../api/index.ts';
import { type ArtifactStore, budgetStream, type RunSummary, runStream } from '../engine/index.ts';
import type { Digest } from '../kernel/index.ts';
import type { EventAddress, MirrorRecord } from '../ledger/index.ts';
import type { OpenLedger } from './open-ledger.ts';

/** An artifact younger than this may belong to a commit that is still on its way. */
const SETTLED_MS = 3_600_000;

interface Body extends EventAddress {
  readonly bytes: number;
  readonly at: number;
}

/** Drops what the request allows: bodies, whole finished runs, and artifacts that nothing names any more. */
export async function collectGarbage(
  request: GcRequest,
  ledger: OpenLedger,
  artifacts: ArtifactStore,
  now: number,
): Promise<GcAnswer> {
  const ended = (await ledger.runs.list({})).filter((run) => run.endedAt !== undefined);
  const archived = await finishedTrees(
    ended,
    ledger,
    now - (request.archiveOlderThanMs ?? Number.POSITIVE_INFINITY),
  );
  const gone = new Set(archived.map((run) => runStream(run.id)));
  const bodies = chooseBodies(ledger, new Set(ended.map((run) => runStream(run.id))), gone, request, now);
  const roots = [...new Set(archived.map((run) => budgetStream(run.root)))];
  const released = digestsOf(ledger, gone, bodies);
  let freed = bodies.reduce((sum, body) => sum + body.bytes, 0) + bytesOf(ledger, gone);
  if (!request.dryRun) {
    if (archived.length > 0) {
      await ledger.mirror.hold();
      ledger.archive.archive([...gone, ...roots], request.by, 'gc');
      await ledger.mirror.settle();
    }
    if (bodies.length > 0) {
      ledger.archive.erase(bodies, request.by, 'gc');
      await ledger.mirror.settle();
    }
  }
  const orphans = await unreferenced(ledger, artifacts, { gone, bodies, released, now });
  freed += orphans.reduce((sum, orphan) => sum + orphan.bytes, 0);
  if (!request.dryRun) for (const orphan of orphans) await artifacts.delete(orphan.digest);
  return {
    dryRun: request.dryRun,
    erasedBodies: bodies.length,
    archivedRuns: archived.length,
    deletedArtifacts: orphans.length,
    freedBytes: freed,
  };
}

/** Runs go only together with the whole tree they belong to. */
async function finishedTrees(
  ended: readonly RunSummary[],
  ledger: OpenLedger,
  before: number,
): Promise<RunSummary[]> {
  if (!Number.isFinite(before)) return [];
  const old = new Set(ended.filter((run) => (run.endedAt ?? 0) <= before).map((run) => run.id));
  const trees: RunSummary[] = [];
  for (const root of ended.filter((run) => run.id === run.root && old.has(run.id))) {
    const tree = await ledger.runs.list({ root: root.id });
    if (tree.every((run) => old.has(run.id))) trees.push(...tree);
  }
  return trees;
}

function chooseBodies(
  ledger: OpenLedger,
  finished: ReadonlySet<string>,
  gone: ReadonlySet<string>,
  request: GcRequest,
  now: number,
): Body[] {
  if (request.bodiesOlderThanMs === undefined && request.bodiesOverBytes === undefined) return [];
  const bodies: Body[] = [];
  for (const record of ledger.archive.records()) {
    const body = bodyOf(record);
    if (body && finished.has(body.stream) && !gone.has(body.stream)) bodies.push(body);
  }
  const tooOld = now - (request.bodiesOlderThanMs ?? Number.POSITIVE_INFINITY);
  let excess =
    bodies.reduce((sum, body) => sum + body.bytes, 0) - (request.bodiesOverBytes ?? Number.POSITIVE_INFINITY);
  return bodies.filter((body) => {
    const chosen = body.at <= tooOld || excess > 0;
    if (chosen) excess -= body.bytes;
    return chosen;
  });
}

function bodyOf(record: MirrorRecord): Body | undefined {
  if (!('event' in record) || record.event.bodyText === null) return undefined;
  const { stream, index, at, bodyText } = record.event;
  return { stream, index, at, bytes: Buffer.byteLength(bodyText) };
}

function bytesOf(ledger: OpenLedger, streams: ReadonlySet<string>): number {
  if (streams.size === 0) return 0;
  let bytes = 0;
  for (const record of ledger.archive.records()) {
    if ('event' in record && streams.has(record.event.stream))
      bytes += record.event.dataText.length + (record.event.bodyText?.length ?? 0);
  }
  return bytes;
}

/** The artifacts named by what is about to go. */
function digestsOf(
  ledger: OpenLedger,
  gone: ReadonlySet<string>,
  bodies: readonly Body[],
): ReadonlySet<string> {
  const going = new Set(bodies.map(address));
  const digests = new Set<string>();
  if (gone.size === 0 && going.size === 0) return digests;
  for (const record of ledger.archive.records()) {
    if (!('event' in record)) continue;
    const { stream, dataText, bodyText } = record.event;
    if (gone.has(stream)) collectDigests(dataText + (bodyText ?? ''), digests);
    else if (going.has(address(record.event))) collectDigests(bodyText ?? '', digests);
  }
  return digests;
}

/** Artifacts that nothing left names: those just released, and old ones that never were named. */
async function unreferenced(
  ledger: OpenLedger,
  artifacts: ArtifactStore,
  going: { gone: ReadonlySet<string>; bodies: readonly Body[]; released: ReadonlySet<string>; now: number },
): ReturnType<ArtifactStore['list']> {
  const stored = (await artifacts.list()).filter(
    (artifact) => artifact.storedAt <= going.now - SETTLED_MS || going.released.has(artifact.digest),
  );
  if (stored.length === 0) return [];
  const erasing = new Set(going.bodies.map(address));
  const named = new Set<string>();
  const graphs = new Set<string>();
  for (const record of ledger.archive.records()) {
    if (!('event' in record) || going.gone.has(record.event.stream)) continue;
    const { type, dataText, bodyText } = record.event;
    if (type === 'run.started') collectDigests(dataText, graphs);
    collectDigests(erasing.has(address(record.event)) ? dataText : dataText + (bodyText ?? ''), named);
  }
  await addUsedGraphs(artifacts, graphs);
  return stored.filter((artifact) => !named.has(artifact.digest) && !graphs.has(artifact.digest));
}

/** A graph that a run is pinned to names the graphs that it may start later. */
async function addUsedGraphs(artifacts: ArtifactStore, graphs: Set<string>): Promise<void> {
  for (const digest of graphs) {
    const bytes = await artifacts.get(digest as Digest);
    if (bytes) collectDigests(new TextDecoder().decode(bytes), graphs);
  }
}

function address({ stream, index }: EventAddress): string {
  return `${stream} ${index}`;
}

function collectDigests(text: string, into: Set<string>): void {
  for (const [digest] of text.matchAll(/[0-9a-f]{64}/g)) into.add(digest);
}
