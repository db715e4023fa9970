import type { EpochMs } from '../kernel/index.ts';
import { eventDrafts } from '../ledger/index.ts';
import type { KeySource } from './types.ts';

/** The stream of all credential events. */
export const VAULT_STREAM = 'vault';

interface Named {
  credential: string;
  name: string;
}

interface Stored extends Named {
  record: string;
  version: number;
  expiresAt?: EpochMs | undefined;
  by: string;
}

interface Use extends Named {
  version: number;
  tool: string;
  run?: string | undefined;
  purpose: string;
}

/**
 * The data of each vault event. None contains a value or anything derived from one, because a digest could be brute-forced.
 * Undefined members are omitted.
 */
export interface VaultEventData {
  'credential.added': Stored & { provider?: string | undefined; scopes: readonly string[] };
  'credential.rotated': Stored;
  'credential.revoked': Named & { by: string };
  'credential.used': Use;
  'credential.use_refused': Use & { why: string };
  'vault.key_changed': { source: KeySource; by: string };
}

/** Event content that a person can erase. */
export interface VaultEventBodies {
  'credential.added': { accountHint: string } | undefined;
}

/** A draft of a vault event, checked against the tables above. */
export const vaultEvent = eventDrafts<VaultEventData, VaultEventBodies>();
