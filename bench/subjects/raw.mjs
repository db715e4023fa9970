// The least that the same writing and reading costs: the rows and mirror lines that Oka has left in a finished
// workspace, stored again with the same driver and nothing around it. Called with a workload, an empty folder and
// the finished workspace.

import { openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { answer, EFFECTS, MEASURED_RUNS, quickest, STEPS, timePer, WARM_UP_RUNS } from './workload.mjs';

const COLUMNS = 'seq, stream_id, idx, at, type, actor, ends, chain, salt, body_digest, data, body';
const DATA = 10;
const BODY = 11;

function readFinished(workspace, ...types) {
  const finished = new DatabaseSync(join(workspace, '.oka', 'oka.db'));
  const wanted = types.map((type) => `'${type}'`).join();
  const statement = finished.prepare(`SELECT ${COLUMNS} FROM events WHERE type IN (${wanted}) ORDER BY seq`);
  statement.setReturnArrays(true);
  const rows = statement.all().map((row) => row.slice(2));
  const schema = finished
    .prepare("SELECT sql FROM sqlite_schema WHERE tbl_name = 'events' AND sql IS NOT NULL ORDER BY type DESC")
    .all();
  finished.close();
  const lines = readFileSync(join(workspace, '.oka', 'run_ledger.jsonl'), 'utf8')
    .split('\n')
    .filter((line) => types.some((type) => line.includes(`"type":"${type}"`)))
    .map((line) => `${line}\n`);
  return { rows, lines, schema: schema.map(({ sql }) => sql).join(';') };
}

function openEmpty(folder, schema, synchronous) {
  const database = new DatabaseSync(join(folder, 'raw.db'));
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; ${schema}`);
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    insert: database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    close: () => database.close(),
  };
}

const workloads = {
  /** One transaction and one appended line for each step of a run of 1,000. */
  async step(folder, finished) {
    const { rows, lines, schema } = readFinished(finished, 'step.completed');
    if (rows.length !== STEPS || lines.length !== STEPS)
      throw new Error(`${rows.length} rows, ${lines.length} lines`);
    const { begin, insert, commit, close } = openEmpty(folder, schema, 'NORMAL');
    const mirror = openSync(join(folder, 'raw.jsonl'), 'a');
    const times = [];
    let seq = 0;
    for (let stream = 1; stream <= WARM_UP_RUNS + MEASURED_RUNS; stream++) {
      const write = () => {
        for (let i = 0; i < STEPS; i++) {
          begin.run();
          insert.run(++seq, stream, ...rows[i]);
          commit.run();
          writeSync(mirror, lines[i]);
        }
      };
      times.push(await timePer(STEPS, write));
    }
    close();
    answer({ coldUs: times[0], stepUs: quickest(times.slice(WARM_UP_RUNS)) });
  },

  /** One synced transaction for each row of an effect: its intent or its outcome. */
  async effect(folder, finished) {
    const { rows, schema } = readFinished(finished, 'tool.intended', 'tool.completed');
    if (rows.length !== 2 * EFFECTS) throw new Error(`${rows.length} rows`);
    const { begin, insert, commit, close } = openEmpty(folder, schema, 'FULL');
    const times = [];
    let seq = 0;
    for (let stream = 1; stream <= WARM_UP_RUNS + MEASURED_RUNS; stream++) {
      const write = () => {
        for (const row of rows) {
          begin.run();
          insert.run(++seq, stream, ...row);
          commit.run();
        }
      };
      times.push(await timePer(rows.length, write));
    }
    close();
    answer({ commitUs: quickest(times.slice(WARM_UP_RUNS)) });
  },

  /** Opens the database of a killed run, reads and parses all of its rows, and writes one more. */
  async resume(workspace, count = STEPS) {
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
    if (rows.length !== Number(count)) throw new Error(`${rows.length} rows`);
    database.close();
    answer({ resumeMs });
  },
};

const [workload, ...args] = process.argv.slice(2);
await workloads[workload](...args);
