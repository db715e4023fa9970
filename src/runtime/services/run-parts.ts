// What only driving or replaying a run needs. Loaded on first use, so that other commands start quickly.
export { AgentRuns } from '../../agent/index.ts';
export { explainRun, parseBudgets, readSimulation, replayFully } from '../../engine/index.ts';
export { recallConversation } from '../chat/conversation-recall.ts';
export { narrate } from '../runs/narrate.ts';
