import { SqlRunFigures } from '../../adapters/sql/index.ts';
import { VerifiedMarks } from '../../adapters/workspace/index.ts';
import type { OverviewAnswer } from '../../api/index.ts';
import { computeMetrics } from '../../assistant/index.ts';
import { openHeads } from '../ledger/open-heads.ts';
import { dayStart } from '../services/configured-pools.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

type Services = Pick<WorkspaceServices, 'ledger' | 'folder' | 'clock' | 'home' | 'isTrusted' | 'config'>;

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
    runs: await figures.runsByStatus(),
    approvals: await figures.openApprovals(now),
    reviews: await figures.quarantinedFacts(),
    today: { since, ...cost, runs, failed, ...(limitUsd === undefined ? {} : { limitUsd }) },
    ledger: await ledgerState(services),
  };
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
