import { SqlRunFigures } from '../../adapters/sql/index.ts';
import { VerifiedMarks } from '../../adapters/workspace/index.ts';
import type { OverviewAnswer } from '../../api/index.ts';
import { computeMetrics } from '../../assistant/index.ts';
import { openHeads } from '../ledger/open-heads.ts';
import { dayStart } from '../services/configured-pools.ts';
import { shownStatus } from '../services/views.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

type Services = Pick<
  WorkspaceServices,
  'ledger' | 'folder' | 'clock' | 'home' | 'isTrusted' | 'config' | 'owners'
>;

/** The state of a workspace, for people who look at it. Counts with queries; reads the events of today only. */
export async function readOverview(services: Services): Promise<OverviewAnswer> {
  const { ledger, folder, clock } = services;
  const now = clock.now();
  const since = dayStart(now, ledger());
  const figures = new SqlRunFigures(ledger().tables);
  const { cost } = (await computeMetrics(figures.readRecent(since), since)).whole;
  const { runs, failed } = await figures.startedSince(since);
  const { cost_usd: limitUsd } = (await services.config()).dailyLimits;
  return {
    workspace: folder.workspace,
    trusted: services.isTrusted(),
    runs: await countRuns(services, figures),
    approvals: await figures.openApprovals(now),
    reviews: await figures.quarantinedFacts(),
    today: { since, ...cost, runs, failed, ...(limitUsd === undefined ? {} : { limitUsd }) },
    ledger: await ledgerState(services),
  };
}

/** The number of runs without a parent by status. Interrupted ones are found by their processes. */
async function countRuns(
  { ledger, owners }: Services,
  figures: SqlRunFigures,
): Promise<Record<string, number>> {
  const counts = await figures.runsByStatus();
  if (counts['running'] === undefined) return counts;
  const { running: _, ...others } = counts;
  for (const { owner } of await ledger().runs.list({ status: 'running', rootsOnly: true })) {
    const status = shownStatus('running', owner, owners);
    others[status] = (others[status] ?? 0) + 1;
  }
  return others;
}

async function ledgerState({ ledger, folder, clock, home }: Services): Promise<OverviewAnswer['ledger']> {
  const { seq, hash } = await ledger().store.head();
  const mark = new VerifiedMarks(folder.directory).read();
  const [signed] = openHeads({ home, folder, clock }).known().heads;
  return {
    ...{ seq, hash },
    ...(mark === undefined ? {} : { verified: { seq: mark.head.seq, at: mark.at } }),
    ...(signed === undefined ? {} : { signed: { seq: signed.seq, at: signed.at } }),
  };
}
