import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { expect } from 'vitest';
import { bundleWorker } from '../support/bundle-worker.ts';
import { kill } from '../support/kill.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { verifyLedger } from '../support/verify-ledger.ts';

const GROUP = 200;
let worker = '';

export async function buildWriter(): Promise<void> {
  worker = await bundleWorker(join(import.meta.dirname, 'many-worker.ts'));
}

/** Runs the worker until it has stored that many rounds; returns the last acknowledged one. */
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

/** Kills a process that stores large groups at once, and checks that whatever it reported as stored is there and whole. */
export async function killAfterGroups(rounds: number): Promise<void> {
  const workspace = tempFolder();
  const last = await killedAfter(workspace, rounds);
  expect(last).toBeGreaterThanOrEqual(rounds);
  const ledger = openTestLedger(workspace);
  await ledger.startWriting();
  expect(await verifyLedger(ledger)).toMatchObject({ ok: true });
  for (let i = 0; i < GROUP; i++)
    expect((await ledger.store.end(`many/${i}`)).index).toBeGreaterThanOrEqual(last);
  await ledger.close();
}
