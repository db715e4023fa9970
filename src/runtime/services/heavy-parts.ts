// What reading the list of runs does not need. Loaded on first use, so that such commands start quickly.
export { FileArtifactStore, WorkspaceFiles } from '../../adapters/files/index.ts';
export { PollingWatcher, SystemWatcher } from '../../adapters/watcher/index.ts';
export { Engine, LocalExecutionBackend, parseBudgets, replayFully } from '../../engine/index.ts';
export { Graphs } from '../graphs/graphs.ts';
export { rebuildFromMirror } from '../ledger/rebuild-ledger.ts';
export { repairLedger } from '../ledger/repair-ledger.ts';
export { tailLedger } from '../ledger/tail-ledger.ts';
export { verifyLedger } from '../ledger/verify-ledger.ts';
export { collectGarbage } from '../maintenance/collect-garbage.ts';
export { whileMaintaining } from '../maintenance/maintenance-lease.ts';
export { examineMachine } from '../process/examine-machine.ts';
export { narrate } from '../runs/narrate.ts';
export { SingleTools } from '../runs/single-tools.ts';
export { Schedules } from '../schedules/schedules.ts';
export { loadBehaviour } from './extensions.ts';
export { openBeside, openEngine, openReadingEngine } from './open-engine.ts';
export { Surroundings } from './surroundings.ts';
