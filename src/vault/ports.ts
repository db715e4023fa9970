import type { EpochMs } from '../kernel/index.ts';
import type { Credential, KeySource, LoggedUse, VaultFault } from './types.ts';

/** The id of a stored value. A record is written once; a rotated credential gets a new one. */
export interface RecordName {
  readonly id: string;
  readonly version: number;
}

/** Which records a sweep erases. */
export interface SweepRule {
  /** Records that the ledger references. */
  readonly keep: ReadonlySet<string>;
  /** Records of revoked or replaced values. */
  readonly drop: ReadonlySet<string>;
  /** Unreferenced records are erased if written before this; younger ones may be referenced soon. */
  readonly orphanedBefore: EpochMs;
}

/** Stores encrypted values, which are unreadable without the key. */
export interface SecretStore {
  /** Whether a vault exists; cheap. */
  exists(): boolean;
  /** Where the key is stored; undefined without a vault. */
  keySource(): KeySource | undefined;
  /** Creates an empty vault if there is none. Fails if an existing vault has another key source. */
  create(source?: KeySource): Promise<void>;
  /** Loads the key without prompting; rejects if that is not possible. */
  unlock(): Promise<void>;
  /** Provides the passphrase for `unlock` and `create`. */
  offerPassphrase(passphrase: string): void;
  /** Stores a value durably before it resolves. */
  put(record: RecordName, value: Uint8Array, at: EpochMs): Promise<void>;
  /** Returns the value in a buffer that the caller may overwrite. Rejects with `vault.damaged` if it is not intact. */
  take(record: RecordName): Promise<Uint8Array>;
  /** Erases the records that the rule selects. */
  sweep(rule: SweepRule): Promise<void>;
  /** Re-encrypts everything under a new key and discards the old one. Returns where the key is stored. */
  changeKey(change: { readonly source?: KeySource; readonly passphrase?: string }): Promise<KeySource>;
  /** What is wrong with the key of the vault; undefined if nothing is, or if it cannot be known without a person. */
  checkKey(): Promise<{ readonly what: string; readonly isLost: boolean } | undefined>;
  /** Checks the stored vault without its key: returns intact records and faults. */
  examine(): { readonly records: ReadonlySet<string>; readonly faults: readonly VaultFault[] };
}

/** Finds credentials in the tables of `vaultProjection`. The status `expired` is not stored. */
export interface CredentialStore {
  /** All credentials, including revoked ones, by name and age. */
  list(): Promise<readonly Credential[]>;
  /** The newest of that name. */
  find(name: string): Promise<Credential | undefined>;
  /** Newest first; of one name, or of all. */
  uses(filter: { readonly name?: string; readonly limit: number }): Promise<readonly LoggedUse[]>;
}
