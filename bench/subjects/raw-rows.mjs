// Rows and mirror lines that Oka has left in a finished workspace, stored again with the same driver and nothing around
// it.

import { openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { EFFECTS, STEPS } from './workload.mjs';

export const COLUMNS = 'seq, stream_id, idx, at, type, actor, ends, chain, salt, body_digest, data, body';
export function readFinished(workspace, ...types) {
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

export function openEmpty(folder, schema, synchronous) {
  const database = new DatabaseSync(join(folder, 'raw.db'));
  database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=${synchronous}; ${schema}`);
  return {
    begin: database.prepare('BEGIN IMMEDIATE'),
    commit: database.prepare('COMMIT'),
    insert: database.prepare(`INSERT INTO events (${COLUMNS}) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`),
    close: () => database.close(),
  };
}

/** Makes the function that stores the steps of one run of 1,000, each in a transaction and with a line of its own. */
export function rawSteps(folder, finished) {
  const { rows, lines, schema } = readFinished(finished, 'step.completed');
  if (rows.length !== STEPS || lines.length !== STEPS)
    throw new Error(`${rows.length} rows, ${lines.length} lines`);
  const { begin, insert, commit, close } = openEmpty(folder, schema, 'NORMAL');
  const mirror = openSync(join(folder, 'raw.jsonl'), 'a');
  let [seq, stream] = [0, 0];
  const write = () => {
    stream += 1;
    for (let i = 0; i < STEPS; i++) {
      begin.run();
      insert.run(++seq, stream, ...rows[i]);
      commit.run();
      writeSync(mirror, lines[i]);
    }
  };
  return { write, close };
}

/** Makes the function that stores the rows of one run of effects, each in a synced transaction. */
export function rawEffects(folder, finished) {
  const { rows, schema } = readFinished(finished, 'tool.intended', 'tool.completed');
  if (rows.length !== 2 * EFFECTS) throw new Error(`${rows.length} rows`);
  const { begin, insert, commit, close } = openEmpty(folder, schema, 'FULL');
  let [seq, stream] = [0, 0];
  const write = () => {
    stream += 1;
    for (const row of rows) {
      begin.run();
      insert.run(++seq, stream, ...row);
      commit.run();
    }
  };
  return { write, close, commits: rows.length };
}
