// Owns: what may happen to a credential, and in which order. Does not own: encryption and files (SecretStore), tables.
// I1 A value is stored durably before the event that references its record is committed; unreferenced records are swept.
// I2 A use is committed and synced before the value is decrypted.
// I3 No event and no error contains a value or anything derived from one.
// I4 A use is checked against the credential's state at the stream position where the use is recorded.
import {
  type Clock,
  type EpochMs,
  type Ids,
  nearestName,
  type Redactor,
  toFailure,
} from '../kernel/index.ts';
import { commitDecided, type EventDraft, type EventStore } from '../ledger/index.ts';
import { checkExpiry, checkName, checkValue, refusal, storeValue, takeValue } from './credential-values.ts';
import type { CredentialStore, SecretStore } from './ports.ts';
import { judgeUse, parseScope, purposeOf, revokedFor, type UseRefusal, withStatusAt } from './scopes.ts';
import type { Credential, CredentialUse, KeySource, LoggedUse, VaultFault } from './types.ts';
import { VAULT_STREAM, vaultEvent } from './vault-events.ts';
import { examineVault } from './vault-faults.ts';

export interface VaultParts {
  readonly events: EventStore;
  readonly credentials: CredentialStore;
  readonly secrets: SecretStore;
  readonly clock: Clock;
  readonly ids: Ids;
  /** Receives every value that is handed out. */
  readonly redactor: Redactor;
}

export interface NewCredential {
  readonly name: string;
  readonly value: string;
  readonly provider?: string;
  readonly accountHint?: string;
  readonly scopes?: readonly string[];
  readonly expiresAt?: EpochMs;
  /** The key source of a new vault. */
  readonly keySource?: KeySource;
  readonly by: string;
}

/** A new value for a credential; without `expiresAt` it does not expire. */
type Rotation = Pick<NewCredential, 'name' | 'value' | 'expiresAt' | 'by'>;

/** How long a record may be unreferenced. */
const ORPHAN_AGE_MS = 600_000;

/** The credentials of a workspace. Implements the engine's `CredentialProvider`. */
export class Vault {
  readonly #parts: VaultParts;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(parts: VaultParts) {
    this.#parts = parts;
  }

  /** Every credential, by name, with its current status. */
  async list(): Promise<readonly Credential[]> {
    const now = this.#parts.clock.now();
    return (await this.#parts.credentials.list()).map((credential) => withStatusAt(credential, now));
  }

  /** The newest credential of that name. Rejects with `vault.unknown` and suggests the nearest. */
  async show(name: string): Promise<Credential> {
    return withStatusAt(await this.#require(name), this.#parts.clock.now());
  }

  /** The uses of one or all credentials, newest first. */
  uses(name: string | undefined, limit: number): Promise<readonly LoggedUse[]> {
    return this.#parts.credentials.uses({ ...(name === undefined ? {} : { name }), limit });
  }

  /** Stores a value under an unused name. */
  async add(added: NewCredential): Promise<Credential> {
    const { clock, credentials, ids, secrets } = this.#parts;
    const { name, by, provider, accountHint, expiresAt } = added;
    checkName(name);
    const value = checkValue(name, added.value);
    const scopes = [...new Set((added.scopes ?? []).map(parseScope))];
    checkExpiry(name, expiresAt, clock.now());
    const [credential, record] = [ids.next(), ids.next()];
    const data = { credential, name, record, version: 1, provider, scopes, expiresAt, by };
    await this.#commit(by, async () => {
      const known = await credentials.find(name);
      if (known !== undefined && known.status !== 'revoked')
        throw refusal(
          'vault.exists',
          `The credential ${name} already exists. Set a new value with: oka vault rotate ${name}, or revoke it first.`,
          { name },
        );
      await secrets.create(added.keySource);
      await storeValue(secrets, { id: record, version: 1 }, value, clock.now());
      const body = accountHint === undefined ? undefined : { accountHint };
      return { event: vaultEvent('credential.added', data, body), answer: undefined };
    });
    return this.#changed(name, value);
  }

  /** Replaces the value and erases the old one. */
  async rotate({ name, value: given, expiresAt, by }: Rotation): Promise<Credential> {
    const { clock, ids, secrets } = this.#parts;
    const value = checkValue(name, given);
    checkExpiry(name, expiresAt, clock.now());
    const record = ids.next();
    const old = await this.#commit(by, async () => {
      const known = await this.#require(name);
      if (known.status === 'revoked') throw refused(known, revokedFor(name));
      const version = known.version + 1;
      await storeValue(secrets, { id: record, version }, value, clock.now());
      const data = { credential: known.id, name, record, version, expiresAt, by };
      return { event: vaultEvent('credential.rotated', data), answer: known.record };
    });
    return this.#changed(name, value, old);
  }

  /** Revokes a credential permanently and erases its value. Idempotent. */
  async revoke(name: string, by: string): Promise<Credential> {
    await this.#commit(by, async () => {
      const { id, status } = await this.#require(name);
      if (status === 'revoked') return { answer: undefined };
      return { event: vaultEvent('credential.revoked', { credential: id, name, by }), answer: undefined };
    });
    return this.#changed(name);
  }

  /** Re-encrypts everything under a new key, in the same or another key source. */
  async changeKey(
    change: { readonly source?: KeySource; readonly passphrase?: string },
    by: string,
  ): Promise<KeySource> {
    const source = await this.#parts.secrets.changeKey(change);
    const event = vaultEvent('vault.key_changed', { source, by });
    return this.#commit(by, async () => ({ event, answer: source }));
  }

  /**
   * Returns the value for a use that the scopes allow; undefined if there is no such credential. The use, or its refusal, is
   * recorded first.
   */
  async resolve(name: string, use: CredentialUse): Promise<string | undefined> {
    if ((await this.#parts.credentials.find(name)) === undefined) return undefined;
    return this.#release(name, use, { actor: use.run === undefined ? use.tool : `run/${use.run}` });
  }

  /** Returns the value for a person to view; recorded like any use. */
  async reveal(name: string, by: string): Promise<string> {
    await this.#require(name);
    return this.#release(name, { tool: 'vault.show' }, { actor: by, anyScope: true });
  }

  /**
   * Adds every valid value to a redactor. Does nothing without a vault or if the key needs a prompt; returns the problems. Never
   * rejects.
   */
  async primeRedactor(
    redactor: Redactor,
  ): Promise<{ readonly added: number; readonly problems: readonly string[] }> {
    const { secrets } = this.#parts;
    const problems: string[] = [];
    let added = 0;
    const report = (error: unknown): void => {
      problems.push(toFailure(error, 'vault.unreadable').message);
    };
    try {
      const all = secrets.exists() ? await this.list() : [];
      // Includes expired values, which other systems may still accept.
      const valid = all.filter(({ status }) => status !== 'revoked');
      if (valid.length > 0) await secrets.unlock();
      for (const credential of valid) {
        try {
          redactor.addSecret(credential.name, await takeValue(secrets, credential));
          added += 1;
        } catch (error) {
          report(error);
        }
      }
    } catch (error) {
      report(error);
    }
    return { added, problems };
  }

  /** Defects of the stored vault, and credentials whose values are lost. */
  async faults(): Promise<readonly VaultFault[]> {
    return (await examineVault(this.#parts.credentials, this.#parts.secrets)).faults;
  }

  async #release(
    name: string,
    use: CredentialUse,
    { actor, anyScope = false }: { readonly actor: string; readonly anyScope?: boolean },
  ): Promise<string> {
    const { clock, redactor, secrets } = this.#parts;
    const judge = async (): Promise<{ credential: Credential; refusal: UseRefusal | undefined }> => {
      const credential = await this.#require(name);
      return { credential, refusal: judgeUse(credential, use, { now: clock.now(), anyScope }) };
    };
    // Without the key there is no use to record.
    if ((await judge()).refusal === undefined) await secrets.unlock();
    const { credential, refusal } = await this.#commit(actor, async () => {
      const verdict = await judge();
      return { event: useEvent(verdict.credential, use, verdict.refusal), answer: verdict };
    });
    if (refusal !== undefined) throw refused(credential, refusal);
    const value = await takeValue(secrets, credential).catch(async (error: unknown) => {
      // It may have been revoked or rotated meanwhile.
      const now = await judge();
      if (now.refusal !== undefined) throw refused(now.credential, now.refusal);
      if (now.credential.record !== credential.record) return takeValue(secrets, now.credential);
      throw error;
    });
    redactor.addSecret(name, value);
    return value;
  }

  /** Sweeps the vault after a change and returns the current credential. */
  async #changed(name: string, value?: string, old?: string): Promise<Credential> {
    const { clock, credentials, redactor, secrets } = this.#parts;
    if (value !== undefined) redactor.addSecret(name, value);
    const all = await credentials.list();
    const keep = new Set(all.flatMap(({ status, record }) => (status === 'revoked' ? [] : [record])));
    const over = all.flatMap(({ status, record }) => (status === 'revoked' ? [record] : []));
    const drop = new Set(old === undefined || keep.has(old) ? over : [...over, old]);
    if (secrets.exists()) await secrets.sweep({ keep, drop, orphanedBefore: clock.now() - ORPHAN_AGE_MS });
    return this.show(name);
  }

  async #require(name: string): Promise<Credential> {
    const found = await this.#parts.credentials.find(name);
    if (found !== undefined) return found;
    const names = (await this.#parts.credentials.list()).map((credential) => credential.name);
    const nearest = nearestName(name, names);
    const advice = nearest === undefined ? '' : ` Did you mean ${nearest}?`;
    const data = { name, ...(nearest === undefined ? {} : { nearest }) };
    throw refusal('vault.unknown', `No credential ${name}. See: oka vault list.${advice}`, data);
  }

  /** Serializes the commits of this process to avoid conflicts. */
  #commit<Answer>(
    actor: string,
    decide: () => Promise<{ readonly event?: EventDraft; readonly answer: Answer }>,
  ): Promise<Answer> {
    const turn = this.#queue.then(() =>
      commitDecided(this.#parts.events, { stream: VAULT_STREAM, actor }, async () => {
        const { event, answer } = await decide();
        return { events: event === undefined ? [] : [event], answer };
      }),
    );
    this.#queue = turn.catch(() => undefined);
    return turn;
  }
}

function useEvent(credential: Credential, use: CredentialUse, refusal: UseRefusal | undefined): EventDraft {
  const { id, name, version } = credential;
  const data = { credential: id, name, version, tool: use.tool, run: use.run, purpose: purposeOf(use) };
  return refusal === undefined
    ? vaultEvent('credential.used', data)
    : vaultEvent('credential.use_refused', { ...data, why: refusal.why });
}

function refused({ name }: Credential, { code, message }: UseRefusal): Error {
  return refusal(code, message, { name });
}
