import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { ManualClock } from '../../../test/support/manual-clock.ts';
import { openTestLedger } from '../../../test/support/open-test-ledger.ts';
import { tempFolder } from '../../../test/support/temp-folder.ts';
import { ProcessRecord } from '../../adapters/processes/index.ts';
import { daemonRuns, ProcessLease } from './process-lease.ts';

const NIGHT_MS = 8 * 3_600_000;

/** The one place of a workspace, as several processes see it. */
class Place {
  readonly clock = new ManualClock();
  readonly living = new Set<string>();
  readonly #workspace = tempFolder();

  leaseOf(self: string): ProcessLease {
    this.living.add(self);
    const folder = join(this.#workspace, '.oka', 'run');
    mkdirSync(folder, { recursive: true });
    const owners = { self, isAlive: (owner: string) => this.living.has(owner) };
    const { leases } = openTestLedger(this.#workspace, { clock: this.clock, owners });
    const record = new ProcessRecord(folder, 'daemon');
    return new ProcessLease({
      name: 'daemon',
      leases,
      owners,
      record,
      clock: this.clock,
      refusal: daemonRuns,
    });
  }
}

test('a process keeps its lease after its machine slept, and a second process learns who holds it', async () => {
  const place = new Place();
  const first = place.leaseOf('11@here#900');
  await first.acquire();
  first.announce();
  const { log } = first;
  place.clock.advance(NIGHT_MS);
  const second = place.leaseOf('22@here#950');
  expect(await second.holder()).toMatchObject({ pid: 11, log });
  await expect(second.acquire()).rejects.toThrow(
    'process 11 is already the daemon of this workspace. Stop it with: oka down',
  );
  expect(await first.renew()).toBe(true);
});

test('the lease of a dead process is free at once', async () => {
  const place = new Place();
  await place.leaseOf('11@here#900').acquire();
  place.living.delete('11@here#900');
  const second = place.leaseOf('22@here#950');
  await second.acquire();
  expect(await second.holder()).toMatchObject({ pid: 22 });
});

test.each(['11@there#900', '11@here#0'])(
  'a process that cannot be checked from here (%s) keeps its lease until it expires',
  async (self) => {
    const place = new Place();
    const first = place.leaseOf(self);
    await first.acquire();
    const second = place.leaseOf('22@here#950');
    await expect(second.acquire()).rejects.toThrow('process 11');
    place.clock.advance(NIGHT_MS);
    await second.acquire();
    expect(await first.renew()).toBe(false);
  },
);
