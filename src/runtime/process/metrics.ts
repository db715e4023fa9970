import { SqliteRunFigures } from '../../adapters/sqlite/index.ts';
import type { MetricsApi } from '../../api/index.ts';
import { computeMetrics } from '../../assistant/index.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';

/** The metrics of one workspace, computed from its events on request. */
export function openMetrics({
  ledger,
  folder,
  clock,
}: Pick<WorkspaceServices, 'ledger' | 'folder' | 'clock'>): MetricsApi {
  return {
    figures: async ({ backMs, since = backMs === undefined ? 0 : clock.now() - backMs }) => {
      const figures = new SqliteRunFigures(ledger().database, folder.database);
      const memory = { facts: figures.facts(since), runsWithFacts: figures.runsWithFacts() };
      return computeMetrics(figures.read(since), since, memory);
    },
  };
}
