import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTestLedger } from '../../../test/support/open-test-ledger.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';

const YEAR_MS = 365 * 86_400_000;

test.each([
  ['11@there#900', true],
  ['11@here#900', false],
])('a lease of %s from a clock a year ahead can be taken: %s', async (holder, isFree) => {
  const clock = new ManualClock();
  const self = '22@here#950';
  const ledger = openTestLedger(tempFolder(), { clock, owners: { self, isAlive: () => true } });
  clock.advance(YEAR_MS);
  expect(await ledger.leases.acquire('daemon', holder, clock.now() + 120_000)).toBe(true);
  clock.advance(-YEAR_MS);
  expect(await ledger.leases.acquire('daemon', self, clock.now() + 120_000)).toBe(isFree);
  await ledger.close();
});
