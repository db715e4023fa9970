// The least that storing messages costs: the rows and mirror lines that Oka has left, written again with the same driver
// and nothing around it, one synced transaction a message. Called with an empty folder and the finished workspace.

import { openSync, readFileSync, writeSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from '@photostructure/sqlite';
import { answer } from './workload.mjs';

const TABLES = ['events', 'messages', 'notifications', 'participants'];

const [, folder, finished] = process.argv.slice(2);
const source = new DatabaseSync(join(finished, '.oka', 'oka.db'));
const schema = source
  .prepare(
    `SELECT sql FROM sqlite_schema WHERE tbl_name IN (${TABLES.map((name) => `'${name}'`).join()}) AND sql IS NOT NULL ORDER BY type DESC`,
  )
  .all()
  .map(({ sql }) => sql)
  .join(';');
const rowsOf = (sql) => {
  const statement = source.prepare(sql);
  statement.setReturnArrays(true);
  return statement.all();
};
const events = rowsOf(
  "SELECT e.* FROM events e JOIN streams s ON s.id = e.stream_id WHERE s.name = 'chat/room' ORDER BY e.idx",
);
const messages = rowsOf("SELECT * FROM messages WHERE conversation = 'room' ORDER BY id");
const notifications = rowsOf("SELECT * FROM notifications WHERE conversation = 'room' ORDER BY message, id");
const participants = rowsOf("SELECT * FROM participants WHERE conversation = 'room'");
const lines = readFileSync(join(finished, '.oka', 'run_ledger.jsonl'), 'utf8')
  .split('\n')
  .filter((line) => line.includes('"stream":"chat/room"'))
  .map((line) => `${line}\n`);
if (events.length !== messages.length || notifications.length !== 3 * messages.length)
  throw new Error(
    `${events.length} events, ${messages.length} messages, ${notifications.length} notifications`,
  );

const database = new DatabaseSync(join(folder, 'raw.db'));
database.exec(`PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; ${schema}`);
const insert = (table, width, or = '') =>
  database.prepare(`INSERT ${or} INTO ${table} VALUES (${Array(width).fill('?').join()})`);
const [begin, commit] = [database.prepare('BEGIN IMMEDIATE'), database.prepare('COMMIT')];
const putEvent = insert('events', events[0].length);
const putMessage = insert('messages', messages[0].length);
const putNotification = insert('notifications', notifications[0].length);
const putParticipant = insert('participants', participants[0].length, 'OR REPLACE');
const mirror = openSync(join(folder, 'raw.jsonl'), 'a');
const from = performance.now();
for (let i = 0; i < messages.length; i++) {
  begin.run();
  putEvent.run(...events[i]);
  putMessage.run(...messages[i]);
  for (let k = 0; k < 3; k++) {
    putNotification.run(...notifications[3 * i + k]);
    putParticipant.run(...participants[k]);
  }
  commit.run();
  writeSync(mirror, lines[i]);
}
answer({ messageUs: ((performance.now() - from) * 1_000) / messages.length });
