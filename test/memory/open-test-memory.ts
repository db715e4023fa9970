import { WorkspaceFolder } from '../../src/adapters/workspace/index.ts';
import type { Embedder } from '../../src/retrieval/index.ts';
import { memoryKeeper, memoryOn } from '../../src/runtime/memory/memory.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { openTestLedger } from '../support/open-test-ledger.ts';
import { seededRandom } from '../support/seeded-random.ts';

/** One process's memory of a workspace; whoever opens it closes the ledger. */
export async function openTestMemory(root: string, options: { embedder?: Embedder; seed?: number } = {}) {
  const { embedder, seed = 1 } = options;
  const clock = new ManualClock();
  const ledger = openTestLedger(root, { clock, seed });
  await ledger.startWriting();
  const folder = new WorkspaceFolder(root);
  const services = {
    folder,
    clock,
    random: seededRandom(seed),
    ...(embedder && { embedder }),
    ledger: () => ledger,
    writableRedacted: async () => ledger,
  };
  return { ...memoryOn(services, ledger), keeper: memoryKeeper(services), clock, ledger, folder, root };
}
