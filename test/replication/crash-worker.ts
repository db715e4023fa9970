// A process that ships a ledger to PostgreSQL and kills itself (SIGKILL) before or after its n-th statement. Run by the
// crash walk; `node worker.mjs <workspace> <url> <schema> <before|after|never> <n>`.
import { Client } from 'pg';
import { processOwners } from '../../src/adapters/processes/index.ts';
import { systemClock } from '../../src/kernel/index.ts';
import { Replication } from '../../src/runtime/replication/replication.ts';
import { die } from '../support/doomed-store.ts';
import { openBench } from './open-bench.ts';

const [workspace, url, schema, where, count] = process.argv.slice(2) as [
  string,
  string,
  string,
  string,
  string,
];
let statements = 0;

const query = Client.prototype.query as (...input: unknown[]) => Promise<unknown>;
Client.prototype.query = async function doomed(this: Client, ...input: unknown[]) {
  statements += 1;
  const isLast = statements === Number(count);
  if (isLast && where === 'before') die();
  const answer = await query.apply(this, input);
  if (isLast && where === 'after') die();
  return answer;
} as unknown as typeof Client.prototype.query;

const bench = openBench({
  workspace,
  clock: systemClock,
  owners: processOwners(),
  replication: { postgres: { urlSecret: 'replica', schema } },
  secret: () => url,
});
const { cursor } = await new Replication(bench).once();
await bench.ledger().close();
process.stdout.write(JSON.stringify({ cursor, statements }));
