import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createRedactor } from '../../src/kernel/index.ts';
import { VAULT_STREAM } from '../../src/vault/vault-events.ts';
import { filesHolding, vaultKit } from './vault-kit.ts';

const VALUE = 'hunter2-hunter2';
const FETCH = { tool: 'http.fetch', run: 'r1', host: 'api.github.com' };
const GITHUB = {
  name: 'github',
  value: VALUE,
  scopes: ['host:api.github.com'],
  keySource: 'file',
  by: 'me',
} as const;

async function typesOf({ ledger }: ReturnType<typeof vaultKit>): Promise<string[]> {
  return (await ledger.events.read(VAULT_STREAM)).map(({ type }) => type);
}

describe('a vault', () => {
  it('hands a value to a use that its scopes allow, and records it', async () => {
    const kit = vaultKit();
    const added = await kit.vault.add({ ...GITHUB, accountHint: 'me@example.org', provider: 'github' });
    expect(added).toMatchObject({ status: 'active', version: 1, scopes: ['host:api.github.com'] });
    kit.clock.advance(5_000);
    expect(await kit.vault.resolve('github', FETCH)).toBe(VALUE);
    expect(await kit.vault.show('github')).toMatchObject({ lastUsedAt: kit.clock.now() });
    expect(await kit.vault.uses('github', 10)).toEqual([
      {
        credential: added.id,
        name: 'github',
        at: kit.clock.now(),
        outcome: 'used',
        tool: 'http.fetch',
        run: 'r1',
        purpose: 'tool:http.fetch host:api.github.com',
      },
    ]);
    expect(kit.redactor.text(`<${VALUE}>`)).toBe('<[redacted github]>');
  });

  it('refuses a use that they do not allow, and records that', async () => {
    const kit = vaultKit();
    await kit.vault.add(GITHUB);
    for (const use of [
      { ...FETCH, host: 'evil.example' },
      { tool: 'process.run', run: 'r1' },
    ]) {
      await expect(kit.vault.resolve('github', use)).rejects.toMatchObject({
        code: 'vault.not_allowed',
        message: expect.stringContaining('host:api.github.com'),
      });
    }
    expect(await typesOf(kit)).toEqual([
      'credential.added',
      'credential.use_refused',
      'credential.use_refused',
    ]);
    expect(await kit.vault.uses(undefined, 1)).toMatchObject([{ outcome: 'refused', why: 'scope' }]);
    expect((await kit.vault.show('github')).lastUsedAt).toBeUndefined();
  });

  it('knows nothing of a name that was never added, and records nothing', async () => {
    const kit = vaultKit();
    expect(await kit.vault.resolve('github', FETCH)).toBeUndefined();
    expect(await typesOf(kit)).toEqual([]);
    await kit.vault.add(GITHUB);
    await expect(kit.vault.show('githbu')).rejects.toMatchObject({
      code: 'vault.unknown',
      data: { nearest: 'github' },
    });
  });

  it('records a use before it decrypts the value', async () => {
    const kit = vaultKit();
    await kit.vault.add(GITHUB);
    const seen: string[][] = [];
    const take = kit.secrets.take.bind(kit.secrets);
    kit.secrets.take = async (record) => {
      seen.push(await typesOf(kit));
      return take(record);
    };
    await kit.vault.resolve('github', FETCH);
    expect(seen).toEqual([['credential.added', 'credential.used']]);
  });

  it('refuses a credential from the moment on that it expires, until it is rotated', async () => {
    const kit = vaultKit();
    const expiresAt = kit.clock.now() + 60_000;
    await kit.vault.add({ ...GITHUB, expiresAt });
    kit.clock.advance(59_999);
    expect(await kit.vault.resolve('github', FETCH)).toBe(VALUE);
    kit.clock.advance(1);
    expect(await kit.vault.show('github')).toMatchObject({ status: 'expired' });
    await expect(kit.vault.resolve('github', FETCH)).rejects.toMatchObject({ code: 'vault.expired' });
    await expect(
      kit.vault.rotate({ name: 'github', value: VALUE, expiresAt, by: 'me' }),
    ).rejects.toMatchObject({
      code: 'vault.invalid_expiry',
    });
    await kit.vault.rotate({ name: 'github', value: 'another value', by: 'me' });
    expect(await kit.vault.resolve('github', FETCH)).toBe('another value');
  });

  it('erases the value that was rotated away, and continues redacting it', async () => {
    const kit = vaultKit();
    await kit.vault.add(GITHUB);
    const before = readFileSync(kit.file, 'utf8').split('\n')[1] as string;
    const rotated = await kit.vault.rotate({ name: 'github', value: 'another value', by: 'me' });
    expect(rotated).toMatchObject({ version: 2, status: 'active' });
    expect(kit.secrets.examine().records.size).toBe(1);
    expect(filesHolding([kit.root], (JSON.parse(before) as { sealed: string }).sealed)).toEqual([]);
    expect(kit.redactor.text(VALUE)).toBe('[redacted github]');
  });

  it('revokes for good and erases the ciphertext', async () => {
    const kit = vaultKit();
    await kit.vault.add(GITHUB);
    const { sealed } = JSON.parse(readFileSync(kit.file, 'utf8').split('\n')[1] as string) as {
      sealed: string;
    };
    expect(await kit.vault.revoke('github', 'me')).toMatchObject({ status: 'revoked' });
    expect(kit.secrets.examine()).toEqual({ records: new Set(), faults: [] });
    expect(filesHolding([kit.root], sealed)).toEqual([]);
    await expect(kit.vault.resolve('github', FETCH)).rejects.toMatchObject({ code: 'vault.revoked' });
    await expect(kit.vault.rotate({ name: 'github', value: VALUE, by: 'me' })).rejects.toMatchObject({
      code: 'vault.revoked',
    });
    await kit.vault.revoke('github', 'me');
    expect(await typesOf(kit)).toEqual(['credential.added', 'credential.revoked', 'credential.use_refused']);
    const again = await kit.vault.add({ ...GITHUB, value: 'a new value' });
    expect(again.version).toBe(1);
    expect(await kit.vault.resolve('github', FETCH)).toBe('a new value');
  });

  it('shows a value to a person whatever its scopes, and records that', async () => {
    const kit = vaultKit();
    await kit.vault.add(GITHUB);
    expect(await kit.vault.reveal('github', 'me')).toBe(VALUE);
    expect(await kit.vault.uses('github', 1)).toMatchObject([{ outcome: 'used', tool: 'vault.show' }]);
  });

  it.each([
    ['Name', VALUE, 'vault.invalid_name'],
    ['1a', VALUE, 'vault.invalid_name'],
    ['../a', VALUE, 'vault.invalid_name'],
    ['a', '\r\n1234567\n', 'vault.too_short'],
    ['a', '🙂'.repeat(7), 'vault.too_short'],
    ['a', 'x'.repeat(65_537), 'vault.too_long'],
    ['a', 'eight or\0more', 'vault.not_text'],
    ['a', 'eight or \ud800 more', 'vault.not_text'],
  ])('refuses to keep %s with such a value, and writes nothing', async (name, value, code) => {
    const kit = vaultKit();
    await expect(kit.vault.add({ name, value, by: 'me' })).rejects.toMatchObject({ code });
    expect(await typesOf(kit)).toEqual([]);
    expect(kit.secrets.exists()).toBe(false);
  });

  it('takes line breaks at the ends of a value for the marks of a pipe', async () => {
    const kit = vaultKit();
    await kit.vault.add({ ...GITHUB, value: '\nfirst line\nsecond line\r\n' });
    expect(await kit.vault.resolve('github', FETCH)).toBe('first line\nsecond line');
  });

  it('refuses a name that is in use', async () => {
    const kit = vaultKit();
    await kit.vault.add(GITHUB);
    await expect(kit.vault.add(GITHUB)).rejects.toMatchObject({ code: 'vault.exists' });
    expect(kit.secrets.examine().records.size).toBe(1);
  });

  it('gives back every value that it was given, over any way of keeping its key', async () => {
    for (const keySource of ['file', 'keyring', 'passphrase'] as const) {
      const kit = vaultKit();
      kit.secrets.offerPassphrase('correct horse');
      const kept = new Map<string, string>();
      const values = fc
        .string({ minLength: 8, unit: 'grapheme' })
        .filter((value) => !/^[\r\n]|[\r\n]$|\0/.test(value) && [...value].length >= 8);
      await fc.assert(
        fc.asyncProperty(values, async (value) => {
          const name = `c${kept.size}`;
          kept.set(name, value);
          await kit.vault.add({ name, value, scopes: ['*'], keySource, by: 'me' });
        }),
        { numRuns: 8 },
      );
      const other = vaultKit({ ...kit, seed: 2 });
      other.secrets.offerPassphrase('correct horse');
      for (const [name, value] of kept) {
        expect(await kit.vault.resolve(name, FETCH)).toBe(value);
        expect(await other.vault.resolve(name, FETCH)).toBe(value);
      }
      expect(kit.secrets.keySource()).toBe(keySource);
    }
  });

  it('keeps values out of every file, whatever is done with them', async () => {
    const kit = vaultKit();
    await kit.ledger.startWriting();
    await kit.vault.add({ ...GITHUB, expiresAt: kit.clock.now() + 1_000 });
    await kit.vault.resolve('github', FETCH);
    await kit.vault.resolve('github', { tool: 'process.run' }).catch(() => undefined);
    await kit.vault.rotate({ name: 'github', value: 'another value', by: 'me' });
    await kit.vault.changeKey({}, 'me');
    await kit.vault.add({ ...GITHUB, name: 'second', value: 'a third value' });
    await kit.vault.revoke('second', 'me');
    await kit.ledger.events.sync();
    kit.ledger.mirror.flush();
    expect(filesHolding([kit.root, kit.home], VALUE, 'another value', 'a third value')).toEqual([]);
    expect(filesHolding([kit.root], 'github')).not.toEqual([]);
  });
});

describe('a redactor that is primed', () => {
  it('learns every value that is in force, and those that have expired', async () => {
    const kit = vaultKit();
    await kit.vault.add({ ...GITHUB, expiresAt: kit.clock.now() + 1 });
    await kit.vault.add({ ...GITHUB, name: 'second', value: 'another value' });
    await kit.vault.add({ ...GITHUB, name: 'third', value: 'a third value' });
    await kit.vault.revoke('third', 'me');
    kit.clock.advance(10);
    const events = await typesOf(kit);
    const redactor = createRedactor();
    expect(await kit.vault.primeRedactor(redactor)).toEqual({ added: 2, problems: [] });
    expect(redactor.text(`${VALUE} another value`)).toBe('[redacted github] [redacted second]');
    expect(await typesOf(kit)).toEqual(events);
  });

  it('is left alone where there is no vault, or where a person would have to be asked', async () => {
    const none = vaultKit();
    expect(await none.vault.primeRedactor(createRedactor())).toEqual({ added: 0, problems: [] });
    const kit = vaultKit();
    kit.secrets.offerPassphrase('correct horse');
    await kit.vault.add({ ...GITHUB, keySource: 'passphrase' });
    const other = vaultKit({ ...kit, seed: 2 });
    const { added, problems } = await other.vault.primeRedactor(createRedactor());
    expect(added).toBe(0);
    expect(problems).toEqual([expect.stringContaining('passphrase')]);
  });
});
