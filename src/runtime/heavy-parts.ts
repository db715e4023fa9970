// What reading the list of runs does not need. Loaded on first use, so that such commands start quickly.
export { FileArtifactStore, WorkspaceFiles } from '../adapters/files/index.ts';
export { PollingWatcher, SystemWatcher } from '../adapters/watcher/index.ts';
export { Engine, LocalExecutionBackend, parseBudgets, replayFully } from '../engine/index.ts';
export { collectGarbage } from './collect-garbage.ts';
export { examineMachine } from './examine-machine.ts';
export { loadBehaviour } from './extensions.ts';
export { Graphs } from './graphs.ts';
export { rebuildFromMirror } from './ledger/rebuild-ledger.ts';
export { repairLedger } from './ledger/repair-ledger.ts';
export { verifyLedger } from './ledger/verify-ledger.ts';
export { whileMaintaining } from './maintenance-lease.ts';
export { narrate } from './narrate.ts';
export { openBeside, openEngine, openReadingEngine } from './open-engine.ts';
export { Schedules } from './schedules.ts';
export { SingleTools } from './single-tools.ts';
export { Surroundings } from './surroundings.ts';
export { tailLedger } from './tail-ledger.ts';
