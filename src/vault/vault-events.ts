import type { EpochMs } from '../kernel/index.ts';
import { eventDrafts } from '../ledger/index.ts';
import type { KeySource } from './types.ts';

/** The stream of everything that happens to credentials. */
export const VAULT_STREAM = 'vault';

interface Use {
  credential: string;
  name: string;
  version: number;
  tool: string;
  run?: string | undefined;
  purpose: string;
}

/**
 * The data of each event of the vault's stream. None holds a value, nor anything computed from one: a digest of a value
 * could be guessed at. Members that are undefined are left out when an event is written.
 */
export interface VaultEventData {
  'credential.added': {
    credential: string;
    name: string;
    record: string;
    version: number;
    provider?: string | undefined;
    scopes: readonly string[];
    expiresAt?: EpochMs | undefined;
    by: string;
  };
  'credential.rotated': {
    credential: string;
    name: string;
    record: string;
    version: number;
    expiresAt?: EpochMs | undefined;
    by: string;
  };
  'credential.revoked': { credential: string; name: string; by: string };
  'credential.used': Use;
  'credential.use_refused': Use & { why: string };
  'vault.key_changed': { source: KeySource; by: string };
}

/** What a person may want erased. */
export interface VaultEventBodies {
  'credential.added': { accountHint: string } | undefined;
}

/** A draft of a vault event, checked against the tables above. */
export const vaultEvent = eventDrafts<VaultEventData, VaultEventBodies>();
