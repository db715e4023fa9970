import { join } from 'node:path';
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import { ProcessRecord } from '../../adapters/processes/index.ts';
import { PollingWatcher, SystemWatcher } from '../../adapters/watcher/index.ts';
import { GraphFiles } from '../../adapters/workspace/index.ts';
import { Schedules } from '../schedules/schedules.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { contentOfFiles } from '../trust/graph-content.ts';
import { Graphs } from './graphs.ts';

/** The graphs and schedules of one workspace. */
export function openGraphs(services: WorkspaceServices): Graphs {
  const { folder, ledger, writable, acting, backend, owners, clock, ids, warn, answer, trust, config } =
    services;
  const { workspace, directory } = folder;
  const files = new GraphFiles(workspace, directory);
  const schedules: Schedules = new Schedules({
    ...{ ledger, writable, backend, owners, clock, ids, answer, trust },
    engine: acting,
    leavesInterrupted: async () => (await config()).execution.interrupted === 'wait',
    prepareRun: (graph, options) => graphs.prepareRun(graph, options),
    graphContent: (graph) => contentOfFiles(graph, files),
    requireGraph: (graph) => graphs.identify(graph),
    watcher: () => {
      const watcher = new PollingWatcher(new WorkspaceFiles(workspace), workspace);
      return new SystemWatcher({ watcher, workspace, clock });
    },
    record: new ProcessRecord(join(directory, 'run'), 'scheduler'),
    onWarning: warn,
  });
  const graphs: Graphs = new Graphs(services, files, schedules);
  return graphs;
}
