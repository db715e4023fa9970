import { join } from 'node:path';
import { WorkspaceFiles } from '../../adapters/files/index.ts';
import { ProcessRecord } from '../../adapters/processes/index.ts';
import { PollingWatcher, SystemWatcher } from '../../adapters/watcher/index.ts';
import { GraphFiles } from '../../adapters/workspace/index.ts';
import { Schedules } from '../schedules/schedules.ts';
import type { WorkspaceServices } from '../services/workspace-services.ts';
import { Graphs } from './graphs.ts';

/** The graphs and schedules of one workspace. */
export function openGraphs(services: WorkspaceServices): Graphs {
  const { folder, ledger, writable, acting, owners, clock, ids, warn, answer } = services;
  const { workspace, directory } = folder;
  const schedules: Schedules = new Schedules({
    ...{ ledger, writable, owners, clock, ids, answer },
    engine: acting,
    prepareRun: (graph, options) => graphs.prepareRun(graph, options),
    requireGraph: (graph) => graphs.identify(graph),
    watcher: () => {
      const watcher = new PollingWatcher(new WorkspaceFiles(workspace), workspace);
      return new SystemWatcher({ watcher, workspace, clock });
    },
    record: new ProcessRecord(join(directory, 'run'), 'scheduler'),
    onWarning: warn,
  });
  const graphs: Graphs = new Graphs(services, new GraphFiles(workspace, directory), schedules);
  return graphs;
}
