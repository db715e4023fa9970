// The least that the same writing and reading costs: the rows and mirror lines that Oka has left in a finished
// workspace, stored again with the same driver and nothing around it. Called with a workload, an empty folder and
// the finished workspace.

import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { COLUMNS, rawSteps } from './raw-rows.mjs';
import { answer, STEPS, timePer } from './workload.mjs';

const DATA = 10;
const BODY = 11;

const workloads = {
  /** One transaction and one appended line for each step of a run of 1,000, in a process that has just begun. */
  async step(folder, finished) {
    const { write, close } = rawSteps(folder, finished);
    const coldUs = await timePer(STEPS, write);
    close();
    answer({ coldUs });
  },

  /** Opens the database of a killed run, reads and parses all of its rows, and writes one more. */
  async resume(workspace) {
    const from = performance.now();
    const database = new DatabaseSync(join(workspace, '.oka', 'oka.db'));
    database.exec('PRAGMA journal_mode=WAL; PRAGMA synchronous=NORMAL');
    const statement = database.prepare(`SELECT ${COLUMNS} FROM events WHERE stream_id = 1 ORDER BY idx`);
    statement.setReturnArrays(true);
    const rows = statement.all();
    for (const row of rows) {
      JSON.parse(row[DATA]);
      if (row[BODY] !== null) JSON.parse(row[BODY]);
    }
    const [seq, stream, index, ...rest] = rows.at(-1);
    database
      .prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`)
      .run(seq + 1, stream, index + 1, ...rest);
    const resumeMs = performance.now() - from;
    if (rows.length !== STEPS) throw new Error(`${rows.length} rows`);
    database.close();
    answer({ resumeMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
