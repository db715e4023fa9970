// What reading the list of runs does not need. Loaded on first use, so that such commands start quickly.
export { FileArtifactStore } from '../adapters/files/index.ts';
export { Engine, parseBudgets, replayFully } from '../engine/index.ts';
export { collectGarbage } from './collect-garbage.ts';
export { examineMachine } from './examine-machine.ts';
export { narrate } from './narrate.ts';
export { openBeside, openEngine } from './open-engine.ts';
export { rebuildDatabase } from './rebuild-ledger.ts';
export { tailLedger } from './tail-ledger.ts';
export { verifyLedger } from './verify-ledger.ts';
