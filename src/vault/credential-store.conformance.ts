import { describe, expect, it } from 'vitest';
import { bodyErased, type EventDraft, type EventStore, SYSTEM_STREAM } from '../ledger/index.ts';
import type { CredentialStore } from './ports.ts';
import { VAULT_STREAM, vaultEvent } from './vault-events.ts';

/** Conformance suite of credential stores, on top of the event store that folds their tables. */
export function credentialStoreConformance(
  name: string,
  make: () => { credentials: CredentialStore; events: EventStore; tick: () => number },
): void {
  const append = async (events: EventStore, ...drafts: EventDraft[]): Promise<void> => {
    const appends = [{ stream: VAULT_STREAM, events: drafts }];
    await events.commit({ actor: 'test', sync: 'normal', appends });
  };
  const added = (credential: string, called: string): EventDraft => {
    const data = { credential, name: called, record: `${credential}-1`, version: 1, scopes: ['*'], by: 'me' };
    return vaultEvent('credential.added', data, { accountHint: 'me@example.org' });
  };
  const use = { name: 'a', version: 1, tool: 'http.fetch', run: 'r1', purpose: 'tool:http.fetch' };

  describe(`${name} as a credential store`, () => {
    it('returns the current state of a credential', async () => {
      const { credentials, events, tick } = make();
      const createdAt = tick();
      await append(events, added('c1', 'a'));
      const rotated = { credential: 'c1', name: 'a', record: 'c1-2', version: 2, expiresAt: 9, by: 'me' };
      const updatedAt = tick();
      await append(events, vaultEvent('credential.rotated', rotated));
      const lastUsedAt = tick();
      await append(events, vaultEvent('credential.used', { ...use, credential: 'c1' }));
      expect(await credentials.find('a')).toEqual({
        id: 'c1',
        name: 'a',
        accountHint: 'me@example.org',
        scopes: ['*'],
        status: 'active',
        version: 2,
        record: 'c1-2',
        createdAt,
        updatedAt,
        lastUsedAt,
        expiresAt: 9,
      });
      expect(await credentials.find('b')).toBeUndefined();
    });

    it('finds the newest of a name and lists all by name', async () => {
      const { credentials, events } = make();
      await append(events, added('c9', 'b'), added('c5', 'a'));
      await append(events, vaultEvent('credential.revoked', { credential: 'c5', name: 'a', by: 'me' }));
      await append(events, added('c3', 'a'));
      expect(await credentials.find('a')).toMatchObject({ id: 'c3', status: 'active' });
      expect((await credentials.list()).map(({ id, status }) => [id, status])).toEqual([
        ['c5', 'revoked'],
        ['c3', 'active'],
        ['c9', 'active'],
      ]);
    });

    it('returns uses, newest first, of one name or of all', async () => {
      const { credentials, events } = make();
      await append(events, added('c1', 'a'), added('c2', 'b'));
      await append(events, vaultEvent('credential.used', { ...use, credential: 'c1' }));
      const refused = { ...use, credential: 'c2', name: 'b', run: undefined, why: 'scope' };
      await append(events, vaultEvent('credential.use_refused', refused));
      const all = await credentials.uses({ limit: 5 });
      expect(all.map(({ name: called, outcome, why, run }) => [called, outcome, why, run])).toEqual([
        ['b', 'refused', 'scope', undefined],
        ['a', 'used', undefined, 'r1'],
      ]);
      expect(await credentials.uses({ limit: 1 })).toHaveLength(1);
      expect((await credentials.uses({ name: 'a', limit: 5 })).map(({ credential }) => credential)).toEqual([
        'c1',
      ]);
      expect((await credentials.find('b'))?.lastUsedAt).toBeUndefined();
    });

    it('removes an erased account hint', async () => {
      const { credentials, events } = make();
      await append(events, added('c1', 'a'), added('c2', 'b'));
      const append2 = {
        stream: SYSTEM_STREAM,
        events: [bodyErased([{ stream: VAULT_STREAM, index: 0 }], 'asked for')],
      };
      await events.commit({ actor: 'me', sync: 'full', appends: [append2] });
      expect(await credentials.find('a')).not.toHaveProperty('accountHint');
      expect(await credentials.find('b')).toHaveProperty('accountHint', 'me@example.org');
    });
  });
}
