import { describe, expect, it } from 'vitest';
import { ManualClock } from '../../test/support/manual-clock.ts';
import { MemoryCredentialStore } from '../../test/support/memory-credential-store.ts';
import { seededRandom } from '../../test/support/seeded-random.ts';
import { LedgerEvent, MemoryEventStore, MemoryTables } from '../ledger/index.ts';
import { credentialStoreConformance } from './credential-store.conformance.ts';
import { VAULT_STREAM, vaultEvent } from './vault-events.ts';
import { vaultProjection } from './vault-projection.ts';

function make() {
  const clock = new ManualClock();
  const events = new MemoryEventStore({ clock, random: seededRandom(), projections: [vaultProjection] });
  const tick = (): number => {
    clock.advance(1_000);
    return clock.now();
  };
  return { events, credentials: new MemoryCredentialStore(events.tables), tick };
}

credentialStoreConformance('MemoryCredentialStore', make);

describe('vaultProjection', () => {
  it('rebuilds the same tables without erased values', async () => {
    const { events } = make();
    const data = { credential: 'c1', name: 'a', record: 'c1-1', version: 1, scopes: [], by: 'me' };
    const drafts = [
      vaultEvent('credential.added', data, { accountHint: 'me' }),
      vaultEvent('credential.revoked', { credential: 'c1', name: 'a', by: 'me' }),
    ];
    await events.commit({ actor: 'me', sync: 'full', appends: [{ stream: VAULT_STREAM, events: drafts }] });
    const whole = new MemoryTables([vaultProjection]);
    const erased = new MemoryTables([vaultProjection]);
    for (const event of await events.readAfter(0, 100)) {
      whole.apply(event);
      erased.apply(new LedgerEvent({ ...event, bodyText: null, salt: null }));
    }
    expect(whole.rows('credentials')).toEqual(events.tables.rows('credentials'));
    expect(erased.rows('credentials')).toMatchObject([{ account_hint: null, status: 'revoked' }]);
  });
});
