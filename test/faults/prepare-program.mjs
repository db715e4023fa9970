// Fills a workspace by the built runtime, in phases that the test starts one after the other.
// Arguments: address of the built runtime, workspace, user folder, phase. Where a phase has a point at which the test
// copies files that are in use, the program prints a line and waits until its standard input has a line.
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { writeItem } from './write-items.mjs';

const [runtime, workspace, home, phase] = process.argv.slice(2);
const { Oka } = await import(runtime);
const oka = new Oka({ workspace, home });
const by = 'writer';
const lines = createInterface(process.stdin)[Symbol.asyncIterator]();

const PHASES = {
  /** Ends cleanly. The runs of this phase are archived by the next one. */
  async early() {
    await writeItems('w1-1', 0, 12);
    await oka.vault.add({
      name: 'service',
      value: 'early-value-of-service',
      scopes: ['*'],
      keySource: 'file',
      by,
    });
    await oka.graphs.schedules.add({ graph: 'note', cron: '0 7 * * 1', input: { word: 'weekly' }, by });
    await oka.close();
  },
  /** Ends cleanly. Archives and erases, and rotates the credential. */
  async middle() {
    await oka.ledger.gc({ by, dryRun: false, archiveOlderThanMs: 0 });
    const { fact } = await oka.memory.addFact({ text: 'The name of the cat is Momo.', by });
    await oka.memory.deleteFact(fact.id, by);
    await writeItems('w1-2', 0, 16);
    await reach('middle');
    await oka.vault.rotate({ name: 'service', value: 'late-value-of-service', by });
    await oka.vault.add({ name: 'second', value: 'value-of-second', scopes: ['*'], by });
    await run('read large.txt', 'completed');
    await run('write notes.txt', 'waiting');
    await run('delete README.md', 'waiting');
    await oka.close();
  },
  /** Is killed by the test, so that its commits are in the write-ahead log only. */
  async late() {
    await writeItems('w1-3', 0, 16);
    await reach('late');
    await writeItems('w1-4', 0, 12);
    await mirrorWritten();
    await reach('end');
  },
};

async function writeItems(prefix, from, to) {
  for (let number = from; number < to; number++) await writeItem(oka, number, `${prefix}-${number}`);
}

async function run(goal, status) {
  const answer = await oka.do({ goal, simulate: false, budgets: {}, patienceMs: 0 });
  if (answer.run.status !== status) throw new Error(`"${goal}" is ${answer.run.status}, not ${status}`);
}

async function reach(point) {
  process.stdout.write(`${point}\n`);
  await lines.next();
}

/** The mirror follows commits with a delay; events in the database alone would be lost with its log. */
async function mirrorWritten() {
  let last = '';
  for await (const line of oka.ledger.export()) last = line;
  while (
    !lastBytes(join(workspace, '.oka', 'run_ledger.jsonl'))
      .trimEnd()
      .endsWith(last)
  )
    await wait(5);
}

function lastBytes(file) {
  const descriptor = openSync(file, 'r');
  const { size } = fstatSync(descriptor);
  const bytes = Buffer.alloc(Math.min(size, 100_000));
  readSync(descriptor, bytes, 0, bytes.length, size - bytes.length);
  closeSync(descriptor);
  return bytes.toString();
}

await PHASES[phase]();
process.exit();
