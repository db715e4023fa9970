// The event store of Oka on PostgreSQL, as the product opens it, against one raw INSERT of the very same row. Called with a
// workload, an empty folder, the address of a server and a workspace with a finished run, whose steps are stored again.

import pg from 'pg';
import { PostgresStores } from '../../src/adapters/postgres/index.ts';
import { systemClock, systemRandom } from '../../src/kernel/index.ts';
import { PROJECTIONS } from '../../src/runtime/services/extensions.ts';
import { COLUMNS, readFinished } from './raw-rows.mjs';
import { answer, quickest, timePer } from './workload.mjs';

const SCHEMA = 'bench';
const STEPS_AT_A_TIME = 50;
const TURNS = 40;
const WARM_UP_TURNS = 10;
const DATA = 8;
const BODY = 9;

const [url, finished] = process.argv.slice(4);

const stores = new PostgresStores({
  ...{ url, schema: SCHEMA, clock: systemClock, random: systemRandom },
  ...{ projections: PROJECTIONS, version: '0.0.0' },
});
await stores.ready();
const raw = new pg.Client({ connectionString: url });
await raw.connect();
await raw.query(`CREATE TABLE public.events (LIKE ${SCHEMA}.events INCLUDING ALL)`);

const steps = readFinished(finished, 'step.completed').rows.map((row) => ({
  type: 'step.completed',
  data: JSON.parse(row[DATA]),
  ...(row[BODY] === null ? {} : { body: JSON.parse(row[BODY]) }),
}));

const INSERT = {
  name: 'raw',
  text: `INSERT INTO public.events (${COLUMNS}) VALUES (${COLUMNS.split(',').map((_, i) => `$${i + 1}`)})`,
};

function insertRaw({ seq, index, at, type, actor, ends, chain, salt, bodyDigest, dataText, bodyText }) {
  const values = [seq, 1, index, at, type, actor, ends ? 1 : 0, chain, salt, bodyDigest, dataText, bodyText];
  return raw.query({ ...INSERT, values });
}

const { rows } = await raw.query('SHOW synchronous_commit');
const commitUs = [];
const rawUs = [];
for (let turn = 0; turn < TURNS; turn++) {
  const events = [];
  commitUs.push(
    await timePer(STEPS_AT_A_TIME, async () => {
      for (let i = 0; i < STEPS_AT_A_TIME; i++) {
        const step = steps[(turn * STEPS_AT_A_TIME + i) % steps.length];
        const appends = [{ stream: 'run/bench', events: [step] }];
        events.push(...(await stores.store.commit({ actor: 'bench', appends, sync: 'normal' })));
      }
    }),
  );
  rawUs.push(
    await timePer(STEPS_AT_A_TIME, async () => {
      for (const event of events) await insertRaw(event);
    }),
  );
}
await stores.close();
await raw.end();
answer({
  commitUs: quickest(commitUs.slice(WARM_UP_TURNS)),
  rawUs: quickest(rawUs.slice(WARM_UP_TURNS)),
  synchronousCommit: rows[0].synchronous_commit,
});
