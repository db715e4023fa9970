// Mastra workflows with their snapshots in libsql, which it opens with a write-ahead log and synchronous=NORMAL, as
// ours is. A loop is one step that is done until it has had enough, a chain has a step of its own for each. Called with
// a workload and a folder.

import { join } from 'node:path';
import { Mastra } from '@mastra/core';
import { createStep, createWorkflow } from '@mastra/core/workflows';
import { LibSQLStore } from '@mastra/libsql';
import { z } from 'zod';
import {
  answer,
  CONCURRENT_RUNS,
  PEER_GOES,
  PEER_WARM_UP_NODES,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  timePer,
} from './workload.mjs';

const state = z.object({ i: z.number(), result: z.any() });

function makeStep(id, onLook) {
  return createStep({
    id,
    inputSchema: state,
    outputSchema: state,
    execute: async ({ inputData: { i } }) => {
      onLook(i);
      return { i: i + 1, result: result(i) };
    },
  });
}

function loop(workflow, steps, onLook) {
  return workflow.dountil(makeStep('look', onLook), async ({ inputData }) => inputData.i >= steps);
}

function chain(workflow, steps, onLook) {
  let made = workflow;
  for (let i = 0; i < steps; i++) made = made.then(makeStep(`look-${i}`, onLook));
  return made;
}

/** Opens the storage with a workflow for each of `lengths`, which is named after its length. */
function open(folder, shape, lengths, onLook = () => {}) {
  const workflows = {};
  for (const steps of lengths) {
    const id = `steps-${steps}`;
    const empty = createWorkflow({ id, inputSchema: state, outputSchema: state });
    workflows[id] = shape(empty, steps, onLook);
    workflows[id].commit();
  }
  const storage = new LibSQLStore({ id: 'bench', url: `file:${join(folder, 'mastra.db')}` });
  const mastra = new Mastra({ logger: false, storage, workflows });
  const createRun = (steps, runId) => mastra.getWorkflow(`steps-${steps}`).createRun({ runId });
  const check = (steps, ended) => {
    if (ended.status !== 'success' || ended.result.i !== steps)
      throw new Error(`the run ended as ${ended.status}: ${ended.error?.message}`);
  };
  return {
    async run(steps, runId) {
      const run = await createRun(steps, runId);
      check(steps, await run.start({ inputData: { i: 0, result: null } }));
    },
    async restart(steps, runId) {
      const run = await createRun(steps, runId);
      check(steps, await run.restart());
    },
  };
}

/** 1,000 steps cost seconds, so they are warmed up by a hundred and measured once. */
async function measure(folder, shape) {
  const { run } = open(folder, shape, [PEER_WARM_UP_NODES, STEPS]);
  await run(PEER_WARM_UP_NODES, 'warm-up');
  answer({ stepUs: await timePer(STEPS, () => run(STEPS, 'measured')) });
}

const workloads = {
  loop: (folder) => measure(folder, loop),
  chain: (folder) => measure(folder, chain),

  async concurrent(folder) {
    const { run } = open(folder, chain, [STEPS_OF_A_SHORT_RUN]);
    const together = (name, runs) =>
      Promise.all(Array.from({ length: runs }, (_, i) => run(STEPS_OF_A_SHORT_RUN, `${name}-${i}`)));
    await together('warm-up', STEPS / STEPS_OF_A_SHORT_RUN);
    const quickestGo = await stepsPerSecond(PEER_GOES, (go) => together(`measured-${go}`, CONCURRENT_RUNS));
    answer({ stepsPerSecond: quickestGo });
  },

  async crash(folder) {
    const onLook = (i) => {
      if (i === STEPS - 1) process.kill(process.pid, 'SIGKILL');
    };
    await open(folder, chain, [STEPS], onLook).run(STEPS, 'killed');
  },

  async resume(folder) {
    let looked = 0;
    const from = performance.now();
    await open(folder, chain, [STEPS], () => looked++).restart(STEPS, 'killed');
    const resumeMs = performance.now() - from;
    if (looked !== 1) throw new Error(`resumed with ${looked} steps`);
    answer({ resumeMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
process.exit(0);
