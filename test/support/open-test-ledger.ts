import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { Owners } from '../../src/engine/index.ts';
import { SqliteLedger } from '../../src/runtime/index.ts';
import { ManualClock } from './manual-clock.ts';
import { seededRandom } from './seeded-random.ts';
import { tempFolder } from './temp-folder.ts';

const ALONE: Owners = { self: 'test', isAlive: (owner) => owner === 'test' };

/** A real ledger in a folder of the test's own. */
export function openTestLedger(
  workspace: string,
  options: { clock?: ManualClock; seed?: number; owners?: Owners } = {},
): SqliteLedger {
  const folder = new WorkspaceFolder(workspace);
  mkdirSync(join(workspace, '.oka'), { recursive: true });
  return new SqliteLedger(folder, {
    clock: options.clock ?? new ManualClock(),
    random: seededRandom(options.seed ?? 1),
    owners: options.owners ?? ALONE,
  });
}

/** The same, closed at the end of the test unless the test closes it. */
export function openForThisTest(workspace = tempFolder()): SqliteLedger {
  const ledger = openTestLedger(workspace);
  onTestFinished(() => {
    try {
      ledger.database.close();
    } catch {
      // The test has closed it.
    }
  });
  return ledger;
}
