import { SqliteRunFigures } from '../../adapters/sqlite/index.ts';
import type { MetricsApi } from '../../api/index.ts';
import { computeMetrics } from '../../assistant/index.ts';
import type { Workbench } from '../services/workbench.ts';

/** How work in one workspace goes; everything is counted from the events when it is asked for. */
export function openMetrics({
  ledger,
  folder,
  clock,
}: Pick<Workbench, 'ledger' | 'folder' | 'clock'>): MetricsApi {
  return {
    figures: async ({ backMs, since = backMs === undefined ? 0 : clock.now() - backMs }) => {
      const figures = new SqliteRunFigures(ledger().database, folder.database);
      return computeMetrics(figures.read(since), since);
    },
  };
}
