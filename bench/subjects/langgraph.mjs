// LangGraph.js with its SQLite saver; durability "sync", so that a step is stored before the next one begins, as ours
// is. One node visited again and again is its cheapest shape; a chain has a node for each step. Called with a workload
// and a folder.

import { readdirSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { Annotation, END, START, StateGraph } from '@langchain/langgraph';
import { SqliteSaver } from '@langchain/langgraph-checkpoint-sqlite';
import {
  answer,
  CONCURRENT_RUNS,
  PEER_GOES,
  PEER_WARM_UP_NODES,
  peakMemoryMb,
  quickest,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  timePer,
} from './workload.mjs';

const latest = Annotation.Root({ i: Annotation(), result: Annotation() });
const growing = Annotation.Root({
  i: Annotation(),
  results: Annotation({ reducer: (all, more) => all.concat(more), default: () => [] }),
});

function withLoop(graph, look, steps) {
  return graph
    .addNode('look', look)
    .addEdge(START, 'look')
    .addConditionalEdges('look', ({ i }) => (i < steps ? 'look' : END), ['look', END]);
}

function withChain(graph, look, steps) {
  for (let i = 0; i < steps; i++) {
    graph.addNode(`look-${i}`, look);
    graph.addEdge(i === 0 ? START : `look-${i - 1}`, `look-${i}`);
  }
  return graph.addEdge(`look-${steps - 1}`, END);
}

function open(folder, { steps, shape = withLoop, grows = false, onLook = () => {} }) {
  const saver = SqliteSaver.fromConnString(join(folder, 'langgraph.db'));
  const look = ({ i }) => {
    onLook(i);
    return grows ? { i: i + 1, results: [result(i)] } : { i: i + 1, result: result(i) };
  };
  const graph = shape(new StateGraph(grows ? growing : latest), look, steps);
  const app = graph.compile({ checkpointer: saver });
  const run = async (thread, from = { i: 0 }) => {
    const state = await app.invoke(from, {
      configurable: { thread_id: thread },
      recursionLimit: steps + 10,
      durability: 'sync',
    });
    if (state.i !== steps) throw new Error(`the run ended at ${state.i}`);
  };
  return { run, close: () => saver.db.close() };
}

const SHAPES = { loop: withLoop, chain: withChain };

const workloads = {
  async step(folder) {
    const { run, close } = open(folder, { steps: STEPS });
    await run('warm-up');
    const times = [];
    for (let i = 0; i < 2; i++) times.push(await timePer(STEPS, () => run(`measured-${i}`)));
    close();
    answer({ stepUs: quickest(times) });
  },

  /** A chain costs seconds, so it is warmed up by a short one and measured once. */
  async chain(folder) {
    const warmUp = open(folder, { steps: PEER_WARM_UP_NODES, shape: withChain });
    await warmUp.run('warm-up');
    warmUp.close();
    const { run, close } = open(folder, { steps: STEPS, shape: withChain });
    const stepUs = await timePer(STEPS, () => run('measured'));
    close();
    answer({ stepUs });
  },

  async growing(folder) {
    const { run, close } = open(folder, { steps: STEPS, grows: true });
    await run('measured');
    close();
    answer({ bytes: readdirSync(folder).reduce((sum, name) => sum + statSync(join(folder, name)).size, 0) });
  },

  async concurrent(folder) {
    const { run, close } = open(folder, { steps: STEPS_OF_A_SHORT_RUN });
    const together = (name, runs) => Promise.all(Array.from({ length: runs }, (_, i) => run(`${name}-${i}`)));
    await together('warm-up', STEPS / STEPS_OF_A_SHORT_RUN);
    const quickestGo = await stepsPerSecond(PEER_GOES, (go) => together(`measured-${go}`, CONCURRENT_RUNS));
    close();
    answer({ stepsPerSecond: quickestGo, memoryMb: peakMemoryMb() });
  },

  async crash(folder, shape = 'loop') {
    const onLook = (i) => {
      if (i === STEPS - 1) process.kill(process.pid, 'SIGKILL');
    };
    await open(folder, { steps: STEPS, shape: SHAPES[shape], onLook }).run('killed');
  },

  async resume(folder, shape = 'loop') {
    let looked = 0;
    const from = performance.now();
    const { run, close } = open(folder, { steps: STEPS, shape: SHAPES[shape], onLook: () => looked++ });
    await run('killed', null);
    const resumeMs = performance.now() - from;
    if (looked !== 1) throw new Error(`resumed with ${looked} steps`);
    close();
    answer({ resumeMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
