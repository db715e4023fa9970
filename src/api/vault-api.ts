import * as z from 'zod';
import type { KeySource, LoggedUse } from '../vault/index.ts';
import {
  epochMs,
  fault,
  list,
  nothing,
  number,
  type SchemasOf,
  schemaOf,
  type TypeOf,
  text,
} from './schemas.ts';

const keySource = schemaOf<KeySource>()(z.enum(['keyring', 'file', 'passphrase']));

/** A credential without its value. */
const credentialView = z.object({
  id: text,
  name: text,
  provider: text.exactOptional(),
  accountHint: text.exactOptional(),
  scopes: list(text),
  status: z.enum(['active', 'revoked', 'expired']),
  version: number,
  createdAt: epochMs,
  updatedAt: epochMs,
  lastUsedAt: epochMs.exactOptional(),
  expiresAt: epochMs.exactOptional(),
});
export type CredentialView = TypeOf<typeof credentialView>;

const loggedUse = schemaOf<LoggedUse>()(
  z.object({
    name: text,
    credential: text,
    at: epochMs,
    outcome: z.enum(['used', 'refused']),
    tool: text,
    run: text.exactOptional(),
    purpose: text,
    why: text.exactOptional(),
  }),
);

const addCredentialRequest = z.object({
  name: text,
  value: text,
  provider: text.exactOptional(),
  accountHint: text.exactOptional(),
  scopes: list(text),
  expiresAt: epochMs.exactOptional(),
  /** Where a new vault stores its key. */
  keySource: keySource.exactOptional(),
  by: text,
});
export type AddCredentialRequest = TypeOf<typeof addCredentialRequest>;

const rotateCredentialRequest = addCredentialRequest.pick({
  name: true,
  value: true,
  expiresAt: true,
  by: true,
});
export type RotateCredentialRequest = TypeOf<typeof rotateCredentialRequest>;

const credentialAnswer = z.object({ credential: credentialView, keySource: keySource });
export type CredentialAnswer = TypeOf<typeof credentialAnswer>;

const credentialListAnswer = z.object({
  credentials: list(credentialView),
  /** Where the key is stored; missing if there is no vault. */
  keySource: keySource.exactOptional(),
  /** Faults of the stored vault. */
  faults: list(fault),
});
export type CredentialListAnswer = TypeOf<typeof credentialListAnswer>;

const rotateKeyRequest = z.object({
  keySource: keySource.exactOptional(),
  passphrase: text.exactOptional(),
  by: text,
});

export interface VaultApi {
  add(request: AddCredentialRequest): Promise<CredentialAnswer>;
  list(): Promise<CredentialListAnswer>;
  show(name: string): Promise<CredentialView>;
  /** Returns the value to show it to the user. Recorded as a use. */
  reveal(name: string, by: string): Promise<string>;
  uses(name: string | undefined, limit: number): Promise<readonly LoggedUse[]>;
  /** Erases the value. */
  revoke(name: string, by: string): Promise<CredentialView>;
  rotate(request: RotateCredentialRequest): Promise<CredentialAnswer>;
  rotateKey(request: TypeOf<typeof rotateKeyRequest>): Promise<{ readonly keySource: KeySource }>;
  /** Sets the passphrase, after `vault.passphrase_needed`. */
  unlock(passphrase: string): Promise<void>;
}

export const vaultSchemas: SchemasOf<VaultApi> = {
  add: [[addCredentialRequest], credentialAnswer],
  list: [[], credentialListAnswer],
  show: [[{ name: text }], credentialView],
  reveal: [[{ name: text }, { by: text }], text],
  uses: [[{ name: text.optional() }, { limit: number }], list(loggedUse)],
  revoke: [[{ name: text }, { by: text }], credentialView],
  rotate: [[rotateCredentialRequest], credentialAnswer],
  rotateKey: [[rotateKeyRequest], z.object({ keySource: keySource })],
  unlock: [[{ passphrase: text }], nothing],
};
