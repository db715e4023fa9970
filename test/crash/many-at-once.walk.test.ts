import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { beforeAll, expect, it } from 'vitest';
import { bundleWorker } from '../support/bundle-worker.ts';
import { kill } from '../support/kill.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';

const GROUP = 200;
/** The moment within a round is left to chance. */
const ROUNDS = process.env['OKA_EXHAUSTIVE'] === '1' ? [20, 21, 22, 25, 30, 35, 40, 50, 60, 80] : [20, 23];
let worker = '';

beforeAll(async () => {
  worker = await bundleWorker(join(import.meta.dirname, 'many-worker.ts'));
});

/** Runs the worker until it has stored so many rounds; answers with the last that it said was stored. */
async function killedAfter(workspace: string, rounds: number): Promise<number> {
  const child = spawn(process.execPath, [worker, workspace, String(GROUP)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let last = -1;
  for await (const line of createInterface(child.stdout)) {
    last = Number(line);
    if (last === rounds) kill(child.pid as number);
  }
  return last;
}

it.each(ROUNDS)(
  'whatever was said to be stored is there, and whole, when killed after %i large groups',
  async (rounds) => {
    const workspace = tempFolder();
    const last = await killedAfter(workspace, rounds);
    expect(last).toBeGreaterThanOrEqual(rounds);
    const ledger = openTestLedger(workspace);
    await ledger.startWriting();
    expect(await verifyLedger(ledger)).toMatchObject({ ok: true });
    for (let i = 0; i < GROUP; i++)
      expect((await ledger.store.end(`many/${i}`)).index).toBeGreaterThanOrEqual(last);
    await ledger.close();
  },
);
