import { onTestFinished } from 'vitest';
import { SqlCache } from '../src/adapters/sql/index.ts';
import { cacheConformance, runStoreConformance } from '../src/engine/stores.conformance.ts';
import { ManualClock } from './support/manual-clock.ts';
import { openTestLedger } from './support/open-test-ledger.ts';
import { tempFolder } from './support/temp-folder.ts';

function open(clock = new ManualClock()) {
  const ledger = openTestLedger(tempFolder(), { clock });
  onTestFinished(() => ledger.database.close());
  return { ledger, clock };
}

runStoreConformance('SqlRunStore', () => {
  const { ledger, clock } = open();
  return { runs: ledger.runs, events: ledger.store, clock };
});

cacheConformance('SqlCache', () => {
  const { ledger, clock } = open();
  return { cache: new SqlCache(ledger.tables, clock), clock };
});
