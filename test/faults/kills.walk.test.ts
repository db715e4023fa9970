import { setTimeout as wait } from 'node:timers/promises';
import { expect, it } from 'vitest';
import { RUN_SEED } from '../support/run-seed.ts';
import { seededRandom } from '../support/seeded-random.ts';
import { campaignWorkspace } from './campaign-workspace.ts';
import { runOka } from './run-oka.ts';
import { exportLines, wrongWrites } from './stored-writes.ts';
import { Writer } from './writer.ts';

const WRITERS = ['w1', 'w2', 'w3', 'w4'];
/** Five times 20 kills, others on another day. */
const ROUNDS = Array.from({ length: 5 }, (_, round) => 5 * RUN_SEED + round);
const KILLS = 20;
/** A writer is killed before its first write, or after some of them and a moment more. */
const MOST_WRITES = 4;
const LONGEST_MOMENT_MS = 40;

it.each(ROUNDS)('four writers that are killed at random lose and double nothing (seed %i)', async (seed) => {
  const random = seededRandom(seed);
  const workspace = await campaignWorkspace();
  const writers = WRITERS.map((name) => new Writer(workspace, name));
  for (const writer of writers) writer.start();
  for (let killed = 0; killed < KILLS; killed++) {
    const writer = writers[Math.floor(random.next() * writers.length)] as Writer;
    await writer.writes(Math.floor(random.next() * (MOST_WRITES + 1)));
    await wait(random.next() * LONGEST_MOMENT_MS);
    await writer.kill();
    writer.start();
  }
  // The others still write while the ledger is verified, and every one has written after the last kill.
  await Promise.all(writers.map((writer) => writer.writes(1)));
  await expectSound('beside the writers');
  for (const writer of writers) await writer.kill();
  await expectSound('after all were killed');

  async function expectSound(when: string): Promise<void> {
    const acknowledged = writers.flatMap((writer) => [...writer.acknowledged]);
    expect(acknowledged.length).toBeGreaterThan(WRITERS.length);
    const verified = await runOka(workspace, 'ledger', 'verify', '--full', '--json');
    expect(verified.exitCode, `${when}: ${verified.stdout}${verified.stderr}`).toBe(0);
    expect(wrongWrites(await exportLines(workspace), acknowledged), when).toEqual([]);
  }
});
