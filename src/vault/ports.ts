import type { EpochMs } from '../kernel/index.ts';
import type { Credential, KeySource, LoggedUse, VaultFault } from './types.ts';

/** Names one stored value. A record is written once; a rotated credential gets a new one. */
export interface RecordName {
  readonly id: string;
  readonly version: number;
}

/** What may go from the vault. */
export interface SweepRule {
  /** Records that the ledger names. */
  readonly keep: ReadonlySet<string>;
  /** Records whose time is over. */
  readonly drop: ReadonlySet<string>;
  /** Records that nobody names go when they were written before this: younger ones may be about to be named. */
  readonly orphanedBefore: EpochMs;
}

/** Keeps values encrypted. Nothing that it writes can be read without its key. */
export interface SecretStore {
  /** Whether there is a vault; cheap. */
  exists(): boolean;
  /** Where the key is kept; undefined while there is no vault. */
  keySource(): KeySource | undefined;
  /** Makes an empty vault unless there is one. Refuses a source that is not that of the vault which is there. */
  create(source?: KeySource): Promise<void>;
  /** Makes the key available without asking anybody; rejects when that cannot be done. */
  unlock(): Promise<void>;
  /** Gives the passphrase that `unlock` and `create` could not do without. */
  offerPassphrase(passphrase: string): void;
  /** Stores a value durably before it answers. */
  put(record: RecordName, value: Uint8Array, at: EpochMs): Promise<void>;
  /** The value, in a buffer that is the caller's to overwrite. Rejects with `vault.damaged` when it is not intact. */
  take(record: RecordName): Promise<Uint8Array>;
  /** Erases what the rule lets go. */
  sweep(rule: SweepRule): Promise<void>;
  /** Encrypts everything anew under a new key and forgets the old one. Answers with where the key is kept. */
  changeKey(change: { readonly source?: KeySource; readonly passphrase?: string }): Promise<KeySource>;
  /** What can be told of the stored vault without its key: the records that are whole, and what is wrong. */
  examine(): { readonly records: ReadonlySet<string>; readonly faults: readonly VaultFault[] };
}

/** Finds credentials in the tables that `vaultProjection` folds. The status `expired` is not stored. */
export interface CredentialStore {
  /** All of them, also those that are revoked, by name and age. */
  list(): Promise<readonly Credential[]>;
  /** The newest of that name. */
  find(name: string): Promise<Credential | undefined>;
  /** The newest uses first; of one name, or of all. */
  uses(filter: { readonly name?: string; readonly limit: number }): Promise<readonly LoggedUse[]>;
}
