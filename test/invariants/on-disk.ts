import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { OpenLedger } from '../../src/runtime/index.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import type { Scenario } from './scenario.ts';
import { WholeClock } from './whole-clock.ts';
import { play, type World } from './world.ts';

/** Plays a scenario on a real ledger, lets `check` look at both, and clears everything away. */
export async function playOnDisk(
  scenario: Scenario,
  check: (world: World, ledger: OpenLedger) => Promise<void>,
): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'oka-invariants-'));
  const clock = new WholeClock();
  const ledger = openTestLedger(folder, { clock });
  try {
    await check(await play(scenario, { clock, stores: { events: ledger.store, runs: ledger.runs } }), ledger);
  } finally {
    await ledger.close();
    rmSync(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
