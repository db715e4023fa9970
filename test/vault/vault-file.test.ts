import {
  chmodSync,
  cpSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { SqlCredentialStore } from '../../src/adapters/sql/index.ts';
import { OkaError } from '../../src/kernel/index.ts';
import type { EventStore } from '../../src/ledger/index.ts';
import { credentialStoreConformance } from '../../src/vault/credential-store.conformance.ts';
import { VAULT_STREAM } from '../../src/vault/vault-events.ts';
import { ManualClock } from '../support/manual-clock.ts';
import { tempFolder } from '../support/temp-folder.ts';
import { flipBytes } from './flip-bytes.ts';
import { MemoryKeyring, vaultKit } from './vault-kit.ts';

const USE = { tool: 'http.fetch', run: 'r1', host: 'a.example' };

const UNSPECIFIED = { name: 'a', value: 'the value of a', scopes: ['*'], by: 'me' };

function credential(name: string, value = `the value of ${name}`) {
  return { name, value, scopes: ['*'], keySource: 'file', by: 'me' } as const;
}

credentialStoreConformance('SqlCredentialStore', () => {
  const { ledger, clock } = vaultKit();
  const tick = (): number => {
    clock.advance(1_000);
    return clock.now();
  };
  return { events: ledger.events, credentials: new SqlCredentialStore(ledger.tables), tick };
});

describe('a vault file', () => {
  it('is JSON that only its owner can read, and so is the key', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    await kit.vault.add(credential('b'));
    const stored = JSON.parse(readFileSync(kit.file, 'utf8')) as { records: { id: string }[] };
    expect(stored.records).toHaveLength(2);
    expect(statSync(kit.file).mode & 0o777).toBe(0o600);
    const [key] = readdirSync(join(kit.home, 'keys'));
    expect(statSync(join(kit.home, 'keys', key as string)).mode & 0o777).toBe(0o600);
  });

  it('reports a flipped byte, and names what it has cost', () => flipBytes(37));

  it('that is damaged is told by the name of the credential', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    writeFileSync(kit.file, readFileSync(kit.file, 'utf8').replace('"version":1', '"version":7'));
    await expect(kit.vault.resolve('a', USE)).rejects.toMatchObject({
      code: 'vault.damaged',
      message: expect.stringContaining('the credential a'),
      data: { name: 'a' },
    });
  });

  it('lets no record stand in for another, nor an old version for the new one', async () => {
    const kit = vaultKit();
    for (const name of ['a', 'b']) await kit.vault.add(credential(name));
    const old = readFileSync(kit.file);
    await kit.vault.rotate({ name: 'a', value: 'a newer value', by: 'me' });
    writeFileSync(kit.file, old);
    await expect(kit.vault.resolve('a', USE)).rejects.toMatchObject({ code: 'vault.damaged' });
    expect(await kit.vault.resolve('b', USE)).toBe('the value of b');
  });

  it('that is damaged in one record takes new ones, and is whole again when that is revoked', async () => {
    const kit = vaultKit();
    for (const name of ['a', 'b']) await kit.vault.add(credential(name));
    const text = readFileSync(kit.file, 'utf8');
    writeFileSync(kit.file, text.replace('"version":1', '"version":7'));
    await kit.vault.add(credential('c'));
    expect(await kit.vault.faults()).toHaveLength(2);
    await expect(kit.vault.changeKey({}, 'me')).rejects.toMatchObject({ code: 'vault.damaged' });
    await kit.vault.revoke('a', 'me');
    expect(await kit.vault.faults()).toEqual([]);
    for (const name of ['b', 'c']) expect(await kit.vault.resolve(name, USE)).toBe(`the value of ${name}`);
  });

  it('that is gone is told, by the credentials that it held', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    rmSync(kit.file);
    await expect(kit.vault.resolve('a', USE)).rejects.toMatchObject({ code: 'vault.damaged' });
    expect(await kit.vault.faults()).toEqual([
      { where: kit.file, what: 'the file is missing' },
      { where: 'credential a', what: 'its value is lost' },
    ]);
    expect(await kit.vault.revoke('a', 'me')).toMatchObject({ status: 'revoked' });
    expect(await kit.vault.faults()).toEqual([]);
  });

  it('is never reached through a link', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const elsewhere = join(tempFolder(), 'vault');
    cpSync(kit.file, elsewhere);
    rmSync(kit.file);
    symlinkSync(elsewhere, kit.file);
    await expect(kit.vault.resolve('a', USE)).rejects.toMatchObject({ code: 'config.link_refused' });
    await expect(kit.vault.add(credential('b'))).rejects.toMatchObject({ code: 'config.link_refused' });
  });

  it('of a newer format is left alone', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const text = readFileSync(kit.file, 'utf8').replace('"format":1', '"format":2');
    writeFileSync(kit.file, text);
    await expect(kit.vault.add(credential('b'))).rejects.toMatchObject({ code: 'vault.newer_format' });
    expect(readFileSync(kit.file, 'utf8')).toBe(text);
  });
});

describe('the key of a vault', () => {
  it('is in the keyring where there is one, else in a file', async () => {
    const kit = vaultKit();
    await kit.vault.add(UNSPECIFIED);
    expect(kit.secrets.keySource()).toBe('keyring');
    expect((kit.keyring as MemoryKeyring).keys.size).toBe(1);
    const broken = new MemoryKeyring();
    broken.store = async () => {
      throw new OkaError('vault.keyring_unavailable', 'there is no keyring.');
    };
    const other = vaultKit({ keyring: broken });
    await other.vault.add(UNSPECIFIED);
    expect(other.secrets.keySource()).toBe('file');
    const strict = vaultKit({ keyring: broken });
    await expect(strict.vault.add({ ...credential('a'), keySource: 'keyring' })).rejects.toMatchObject({
      code: 'vault.keyring_unavailable',
    });
    expect(strict.secrets.exists()).toBe(false);
  });

  it('that stayed on another machine is said to be missing, and where it should be', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const copy = vaultKit({ root: kit.root, clock: kit.clock, seed: 2 });
    await expect(copy.vault.resolve('a', USE)).rejects.toMatchObject({
      code: 'vault.key_missing',
      message: expect.stringContaining(join(copy.home, 'keys')),
    });
    await expect(copy.vault.add(credential('b'))).rejects.toMatchObject({ code: 'vault.key_missing' });
    expect((await kit.ledger.events.read(VAULT_STREAM)).map(({ type }) => type)).toEqual([
      'credential.added',
    ]);
  });

  it('that others may read is refused until it is closed to them', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const [name] = readdirSync(join(kit.home, 'keys'));
    const key = join(kit.home, 'keys', name as string);
    chmodSync(key, 0o640);
    const other = vaultKit({ ...kit, seed: 2 });
    await expect(other.vault.resolve('a', USE)).rejects.toMatchObject({
      code: 'vault.key_exposed',
      message: expect.stringContaining(`chmod 600 '${key}'`),
    });
    chmodSync(key, 0o600);
    expect(await other.vault.resolve('a', USE)).toBe('the value of a');
  });

  it('that is another one opens nothing', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const [name] = readdirSync(join(kit.home, 'keys'));
    writeFileSync(join(kit.home, 'keys', name as string), `${'ab'.repeat(32)}\n`);
    const other = vaultKit({ ...kit, seed: 2 });
    await expect(other.vault.resolve('a', USE)).rejects.toMatchObject({ code: 'vault.wrong_key' });
  });

  it('comes from a passphrase, which must be the right one', async () => {
    const kit = vaultKit();
    await expect(kit.vault.add({ ...credential('a'), keySource: 'passphrase' })).rejects.toMatchObject({
      code: 'vault.passphrase_needed',
      data: { fresh: true },
    });
    kit.secrets.offerPassphrase('short');
    await expect(kit.vault.add({ ...credential('a'), keySource: 'passphrase' })).rejects.toMatchObject({
      code: 'vault.too_short',
    });
    kit.secrets.offerPassphrase('bücher und hefte');
    await kit.vault.add({ ...credential('a'), keySource: 'passphrase' });
    const other = vaultKit({ ...kit, seed: 2 });
    await expect(other.vault.resolve('a', USE)).rejects.toMatchObject({
      code: 'vault.passphrase_needed',
      data: { fresh: false },
    });
    other.secrets.offerPassphrase('bucher und hefte');
    await expect(other.vault.resolve('a', USE)).rejects.toMatchObject({ code: 'vault.wrong_key' });
    other.secrets.offerPassphrase('bücher und hefte'.normalize('NFD'));
    expect(await other.vault.resolve('a', USE)).toBe('the value of a');
  });

  it('can be changed for another kind, while others use the vault', async () => {
    const kit = vaultKit();
    for (const name of ['a', 'b']) await kit.vault.add(credential(name));
    const other = vaultKit({ ...kit, seed: 2 });
    expect(await other.vault.resolve('a', USE)).toBe('the value of a');
    await expect(kit.vault.add({ ...credential('c'), keySource: 'keyring' })).rejects.toMatchObject({
      code: 'vault.key_source',
    });
    expect(await kit.vault.changeKey({ source: 'keyring' }, 'me')).toBe('keyring');
    expect(readdirSync(join(kit.home, 'keys'))).toEqual([]);
    for (const name of ['a', 'b']) {
      expect(await other.vault.resolve(name, USE)).toBe(`the value of ${name}`);
      expect(await kit.vault.resolve(name, USE)).toBe(`the value of ${name}`);
    }
    await other.vault.add({ ...credential('c'), keySource: 'keyring' });
    expect(await kit.vault.resolve('c', USE)).toBe('the value of c');
  });
});

describe('a vault that others use too', () => {
  it('loses nothing of what is added at once, and makes one key', async () => {
    const first = vaultKit();
    const kits = [first, ...[2, 3].map((seed) => vaultKit({ ...first, seed }))];
    const names = kits.flatMap((_, i) => ['x', 'y', 'z'].map((letter) => `${letter}${i}`));
    await Promise.all(
      names.map((name) => (kits[Number(name[1])] as typeof first).vault.add(credential(name))),
    );
    expect(readdirSync(join(first.home, 'keys'))).toHaveLength(1);
    for (const { vault } of kits)
      for (const name of names) expect(await vault.resolve(name, USE)).toBe(`the value of ${name}`);
    expect(await first.vault.faults()).toEqual([]);
  });

  it('gives a name to one of those who want it', async () => {
    const first = vaultKit();
    const kits = [first, ...[2, 3].map((seed) => vaultKit({ ...first, seed }))];
    const ended = await Promise.allSettled(
      kits.map(({ vault }, i) => vault.add(credential('a', `the value of process ${i}`))),
    );
    const won = ended.findIndex(({ status }) => status === 'fulfilled');
    for (const [i, one] of ended.entries())
      if (i !== won) expect(one).toMatchObject({ status: 'rejected', reason: { code: 'vault.exists' } });
    for (const { vault } of kits) expect(await vault.resolve('a', USE)).toBe(`the value of process ${won}`);
  });

  it('hands out many values at once', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const values = await Promise.all(Array.from({ length: 50 }, () => kit.vault.resolve('a', USE)));
    expect(new Set(values)).toEqual(new Set(['the value of a']));
    expect(await kit.vault.uses('a', 100)).toHaveLength(50);
  });
});

describe('a crash between the file and the event', () => {
  /** A process that dies when it wants to commit. */
  const mortal = (events: EventStore): EventStore =>
    new Proxy(events, {
      get: (target, name) =>
        name === 'commit'
          ? () => Promise.reject(new Error('the process died'))
          : Reflect.get(target, name, target).bind?.(target),
    });

  it('leaves a record that nobody can use, and that goes in time', async () => {
    const clock = new ManualClock();
    const kit = vaultKit({ clock });
    await kit.vault.add(credential('a'));
    const dying = vaultKit({ ...kit, seed: 2, wrapEvents: mortal });
    await expect(dying.vault.add(credential('b'))).rejects.toThrow('the process died');
    expect(kit.secrets.examine().records.size).toBe(2);
    expect(await kit.vault.resolve('b', USE)).toBeUndefined();
    await expect(kit.vault.show('b')).rejects.toMatchObject({ code: 'vault.unknown' });

    clock.advance(60_000);
    await kit.vault.add(credential('c'));
    expect(kit.secrets.examine().records.size).toBe(3);
    clock.advance(600_000);
    await kit.vault.add(credential('d'));
    expect(kit.secrets.examine().records.size).toBe(3);
    for (const name of ['a', 'c', 'd'])
      expect(await kit.vault.resolve(name, USE)).toBe(`the value of ${name}`);
  });

  it('while rotating leaves the old value in force', async () => {
    const kit = vaultKit();
    await kit.vault.add(credential('a'));
    const dying = vaultKit({ ...kit, seed: 2, wrapEvents: mortal });
    await expect(dying.vault.rotate({ name: 'a', value: 'a newer value', by: 'me' })).rejects.toThrow('died');
    expect(await kit.vault.resolve('a', USE)).toBe('the value of a');
    await kit.vault.rotate({ name: 'a', value: 'the newest value', by: 'me' });
    expect(await kit.vault.resolve('a', USE)).toBe('the newest value');
  });
});
