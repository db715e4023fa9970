// XState with its persisted snapshot stored as a row after each transition: a state machine library whose durability
// is written by hand. Called with a workload and an empty folder.

import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { assign, createActor, createMachine } from 'xstate';
import { answer, MEASURED_RUNS, quickest, result, STEPS, timePer, WARM_UP_RUNS } from './workload.mjs';

const machine = createMachine({
  id: 'loop',
  initial: 'working',
  context: { i: 0, result: null },
  states: {
    working: {
      on: {
        LOOK: { actions: assign(({ context }) => ({ i: context.i + 1, result: result(context.i) })) },
        FINISH: 'done',
      },
    },
    done: { type: 'final' },
  },
});

const workloads = {
  async step(folder) {
    const database = new DatabaseSync(join(folder, 'xstate.db'));
    database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL;
      CREATE TABLE snapshots (run INTEGER, step INTEGER, state TEXT, PRIMARY KEY (run, step)) WITHOUT ROWID`);
    const insert = database.prepare('INSERT INTO snapshots VALUES (?, ?, ?)');
    const run = (id) => {
      const actor = createActor(machine).start();
      for (let step = 0; step < STEPS; step++) {
        actor.send({ type: 'LOOK' });
        insert.run(id, step, JSON.stringify(actor.getPersistedSnapshot()));
      }
      actor.send({ type: 'FINISH' });
      if (actor.getSnapshot().status !== 'done' || actor.getSnapshot().context.i !== STEPS)
        throw new Error('wrong');
    };
    const times = [];
    for (let i = 0; i < WARM_UP_RUNS + MEASURED_RUNS; i++) times.push(await timePer(STEPS, () => run(i)));
    database.close();
    answer({ stepUs: quickest(times.slice(WARM_UP_RUNS)) });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
