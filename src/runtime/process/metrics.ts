import { SqlRunFigures } from '../../adapters/sql/index.ts';
import type { MetricsApi } from '../../api/index.ts';
import { computeMetrics } from '../../assistant/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** The metrics of one workspace, computed from its events on request. */
export function openMetrics({ ledger, clock }: Pick<WorkspaceServices, 'ledger' | 'clock'>): MetricsApi {
  return {
    figures: async ({ backMs, since = backMs === undefined ? 0 : clock.now() - backMs }) => {
      const figures = new SqlRunFigures(ledger().tables);
      const memory = { facts: await figures.facts(since), runsWithFacts: await figures.runsWithFacts() };
      return computeMetrics(figures.read(since), since, memory);
    },
  };
}
