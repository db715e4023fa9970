// Everything that listing runs does not need. Loaded on first use, so that such commands start quickly.
export { FileArtifactStore, WorkspaceFiles } from '../../adapters/files/index.ts';
export { PollingWatcher, SystemWatcher } from '../../adapters/watcher/index.ts';
export { AgentRuns } from '../../agent/index.ts';
export { machineEnvironment, providerEnvironment } from '../../config/index.ts';
export {
  Engine,
  explainRun,
  parseBudgets,
  readSimulation,
  replayFully,
} from '../../engine/index.ts';
export { AgentModelDirectory } from '../agents/agent-models.ts';
export { recallConversation } from '../chat/conversation-recall.ts';
export { Graphs } from '../graphs/graphs.ts';
export { rebuildFromMirror } from '../ledger/rebuild-ledger.ts';
export { repairLedger } from '../ledger/repair-ledger.ts';
export { tailLedger } from '../ledger/tail-ledger.ts';
export { verifyLedger } from '../ledger/verify-ledger.ts';
export { collectGarbage } from '../maintenance/collect-garbage.ts';
export { whileMaintaining } from '../maintenance/maintenance-lease.ts';
export { loadPolicy } from '../policy/policies.ts';
export { examineMachine } from '../process/examine-machine.ts';
export { narrate } from '../runs/narrate.ts';
export { SingleTools } from '../runs/single-tools.ts';
export { Schedules } from '../schedules/schedules.ts';
export { loadBehaviour } from './extensions.ts';
export { openReadingEngine } from './open-reading-engine.ts';
export { loadWorkspaceConfig } from './workspace-config.ts';
