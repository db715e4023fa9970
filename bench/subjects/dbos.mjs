// DBOS: workflows whose steps are recorded in Postgres, with synchronous_commit off, so that a step outlives the process
// as ours does. Called with a workload and the address of a server; each workload has a database of its own, which DBOS
// makes.

import { DBOS } from '@dbos-inc/dbos-sdk';
import {
  answer,
  CONCURRENT_RUNS,
  PEER_GOES,
  quickest,
  result,
  STEPS,
  STEPS_OF_A_SHORT_RUN,
  stepsPerSecond,
  timePer,
} from './workload.mjs';

const CONNECTIONS = 20;
const KILLED = 'killed';

let onLook = () => {};
let onEnd = () => {};

/** A workflow of so many steps, all of one name or each of its own. */
const walk = DBOS.registerWorkflow(
  async (steps, named) => {
    let state = { i: 0, result: null };
    for (let step = 0; step < steps; step++) {
      const look = async () => {
        onLook(state.i);
        return { i: state.i + 1, result: result(state.i) };
      };
      state = await DBOS.runStep(look, { name: named ? `look-${step}` : 'look' });
    }
    onEnd();
    return state;
  },
  { name: 'walk' },
);

async function run(steps, named) {
  const state = await walk(steps, named);
  if (state.i !== steps) throw new Error(`the run ended at ${state.i}`);
}

function configure(server, database) {
  DBOS.setConfig({
    name: 'bench',
    systemDatabaseUrl: new URL(`/${database}`, server).href,
    systemDatabasePoolSize: CONNECTIONS,
    applicationVersion: '1',
    logLevel: 'error',
    runAdminServer: false,
  });
}

async function measure(server, named) {
  configure(server, named ? 'chain' : 'loop');
  await DBOS.launch();
  await run(STEPS, named);
  const times = [];
  for (let i = 0; i < 2; i++) times.push(await timePer(STEPS, () => run(STEPS, named)));
  await DBOS.shutdown();
  answer({ stepUs: quickest(times) });
}

const workloads = {
  loop: (server) => measure(server, false),
  chain: (server) => measure(server, true),

  async concurrent(server) {
    configure(server, 'concurrent');
    await DBOS.launch();
    const together = (runs) =>
      Promise.all(Array.from({ length: runs }, () => run(STEPS_OF_A_SHORT_RUN, true)));
    await together(STEPS / STEPS_OF_A_SHORT_RUN);
    const quickestGo = await stepsPerSecond(PEER_GOES, () => together(CONCURRENT_RUNS));
    await DBOS.shutdown();
    answer({ stepsPerSecond: quickestGo });
  },

  async crash(server, database) {
    onLook = (i) => {
      if (i === STEPS - 1) process.kill(process.pid, 'SIGKILL');
    };
    configure(server, database);
    await DBOS.launch();
    await DBOS.startWorkflow(walk, { workflowID: KILLED })(STEPS, true).then((handle) => handle.getResult());
  },

  /** From launching, which takes up what was killed, to the end of the workflow; its result is then stored. */
  async resume(server, database) {
    let looked = 0;
    onLook = () => {
      looked += 1;
    };
    const ended = new Promise((resolve) => {
      onEnd = () => resolve(performance.now());
    });
    configure(server, database);
    const from = performance.now();
    await DBOS.launch();
    const resumeMs = (await ended) - from;
    const state = await DBOS.retrieveWorkflow(KILLED).getResult();
    if (state.i !== STEPS || looked !== 1) throw new Error(`resumed with ${looked} steps`);
    await DBOS.shutdown();
    answer({ resumeMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
process.exit(0);
