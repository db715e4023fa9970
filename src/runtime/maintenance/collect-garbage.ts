import type { GcAnswer, GcRequest } from '../../api/index.ts';
import { budgetStream, type RunSummary, runStream, simulationStream } from '../../engine/index.ts';
import type { OpenLedger } from '../ledger/open-ledger.ts';
import { type Body, type RemovalParts, removeContent, surveyLedger } from './remove-content.ts';

/** Removes what the request allows: bodies, whole finished runs, and artifacts without references. */
export async function collectGarbage(request: GcRequest, parts: RemovalParts): Promise<GcAnswer> {
  const { ledger, now } = parts;
  const ended = (await ledger.runs.list({})).filter((run) => run.endedAt !== undefined);
  const before = now - (request.archiveOlderThanMs ?? Number.POSITIVE_INFINITY);
  const trees = await finishedTrees(ended, ledger, before);
  const groups = [...trees, ...(await oldSimulations(ledger, before))];
  const wantsBodies = request.bodiesOlderThanMs !== undefined || request.bodiesOverBytes !== undefined;
  const finished = new Set(wantsBodies ? ended.map((run) => runStream(run.id)) : []);
  const survey = await surveyLedger(
    ledger,
    new Set(groups.flat()),
    ({ stream }) => finished.has(stream) || (wantsBodies && stream.startsWith(simulationStream(''))),
  );
  const bodies = chooseBodies(survey.bodies, request, now);
  const { by, dryRun } = request;
  const removed = await removeContent(parts, { survey, groups, bodies, by, dryRun, reason: 'gc' });
  const archivedRuns = trees.reduce((sum, group) => sum + group.length - 1, 0);
  return { dryRun, erasedBodies: bodies.length, archivedRuns, ...removed };
}

/** Runs are removed only with their whole tree. */
async function finishedTrees(
  ended: readonly RunSummary[],
  ledger: OpenLedger,
  before: number,
): Promise<readonly (readonly string[])[]> {
  if (!Number.isFinite(before)) return [];
  const old = new Set(ended.filter((run) => (run.endedAt ?? 0) <= before).map((run) => run.id));
  const trees: (readonly string[])[] = [];
  for (const root of ended.filter((run) => run.id === run.root && old.has(run.id))) {
    const tree = await ledger.runs.list({ root: root.id });
    if (tree.every((run) => old.has(run.id))) trees.push(streamsOf(tree, root.id));
  }
  return trees;
}

/** The streams of simulations recorded until then, tree by tree. */
export async function oldSimulations(
  { simulations }: Pick<OpenLedger, 'simulations'>,
  until: number,
): Promise<readonly (readonly string[])[]> {
  if (!Number.isFinite(until)) return [];
  return (await simulations.recordedUntil(until)).map((tree) => tree.map(simulationStream));
}

/** The streams of a tree of runs; the last one is its budget, which only trees with children have. */
export function streamsOf(tree: readonly RunSummary[], root: string): readonly string[] {
  return [...tree.map(({ id }) => runStream(id)), budgetStream(root)];
}

function chooseBodies(bodies: readonly Body[], request: GcRequest, now: number): readonly Body[] {
  const tooOld = now - (request.bodiesOlderThanMs ?? Number.POSITIVE_INFINITY);
  let excess =
    bodies.reduce((sum, body) => sum + body.bytes, 0) - (request.bodiesOverBytes ?? Number.POSITIVE_INFINITY);
  return bodies.filter((body) => {
    const chosen = body.at <= tooOld || excess > 0;
    if (chosen) excess -= body.bytes;
    return chosen;
  });
}
