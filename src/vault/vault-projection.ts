import { canonicalJson } from '../kernel/index.ts';
import {
  type LedgerEvent,
  namedAddresses,
  type Projection,
  type Row,
  type RowChange,
  type TableSpec,
} from '../ledger/index.ts';
import type { Credential, LoggedUse } from './types.ts';
import { VAULT_STREAM, type VaultEventBodies, type VaultEventData } from './vault-events.ts';

const CREDENTIALS: TableSpec = {
  name: 'credentials',
  columns: {
    id: 'text',
    name: 'text',
    provider: 'text',
    account_hint: 'text',
    scopes: 'json',
    status: 'text',
    record: 'text',
    version: 'integer',
    created_at: 'integer',
    updated_at: 'integer',
    last_used_at: 'integer',
    expires_at: 'integer',
    added_idx: 'integer',
  },
  key: ['id'],
  indexes: [['name']],
};

const USES: TableSpec = {
  name: 'credential_uses',
  columns: {
    idx: 'integer',
    credential: 'text',
    name: 'text',
    at: 'integer',
    outcome: 'text',
    tool: 'text',
    run: 'text',
    purpose: 'text',
    why: 'text',
  },
  key: ['idx'],
  indexes: [['name', 'idx']],
};

/** Tables of credentials and their uses. */
export const vaultProjection: Projection = {
  name: 'vault',
  tables: [CREDENTIALS, USES],
  types: new Set([
    'credential.added',
    'credential.rotated',
    'credential.revoked',
    'credential.used',
    'credential.use_refused',
    'body.erased',
  ]),
  apply(event) {
    if (event.type === 'body.erased') return erased(event);
    return event.stream === VAULT_STREAM ? changesOf(event) : [];
  },
};

function changesOf(event: LedgerEvent): readonly RowChange[] {
  switch (event.type) {
    case 'credential.added':
      return [added(event)];
    case 'credential.rotated': {
      const { record, version, expiresAt } = event.data as unknown as VaultEventData['credential.rotated'];
      const patch = { record, version, updated_at: event.at, expires_at: expiresAt ?? null };
      return [patchCredential(event, patch)];
    }
    case 'credential.revoked':
      return [patchCredential(event, { status: 'revoked', updated_at: event.at })];
    case 'credential.used': {
      const data = event.data as unknown as VaultEventData['credential.used'];
      const use = logged(event, { ...data, why: null, outcome: 'used' });
      return [patchCredential(event, { last_used_at: event.at }), use];
    }
    case 'credential.use_refused': {
      const data = event.data as unknown as VaultEventData['credential.use_refused'];
      return [logged(event, { ...data, outcome: 'refused' })];
    }
    default:
      return [];
  }
}

function patchCredential({ data }: LedgerEvent, patch: Row): RowChange {
  return { table: 'credentials', patch, where: { id: data['credential'] } };
}

function added(event: LedgerEvent): RowChange {
  const data = event.data as unknown as VaultEventData['credential.added'];
  const body = event.body as VaultEventBodies['credential.added'] | undefined;
  return {
    table: 'credentials',
    put: {
      id: data.credential,
      name: data.name,
      provider: data.provider ?? null,
      account_hint: body?.accountHint ?? null,
      scopes: canonicalJson(data.scopes),
      status: 'active',
      record: data.record,
      version: data.version,
      created_at: event.at,
      updated_at: event.at,
      last_used_at: null,
      expires_at: data.expiresAt ?? null,
      added_idx: event.index,
    },
  };
}

function logged(
  event: LedgerEvent,
  use: VaultEventData['credential.used'] & { readonly outcome: string; readonly why: string | null },
): RowChange {
  const { credential, name, outcome, tool, run, purpose, why } = use;
  return {
    table: 'credential_uses',
    put: { idx: event.index, credential, name, at: event.at, outcome, tool, run: run ?? null, purpose, why },
  };
}

/** Clears values copied from erased bodies. */
function erased(event: LedgerEvent): RowChange[] {
  return namedAddresses(event.data)
    .filter(({ stream }) => stream === VAULT_STREAM)
    .map(({ index }) => ({
      table: 'credentials',
      patch: { account_hint: null },
      where: { added_idx: index },
    }));
}

/** Maps a row of `credentials`. */
export function toCredential(row: Row): Credential {
  return {
    id: row['id'] as string,
    name: row['name'] as string,
    ...(typeof row['provider'] === 'string' ? { provider: row['provider'] } : {}),
    ...(typeof row['account_hint'] === 'string' ? { accountHint: row['account_hint'] } : {}),
    scopes: JSON.parse(row['scopes'] as string) as readonly string[],
    status: row['status'] as Credential['status'],
    version: row['version'] as number,
    record: row['record'] as string,
    createdAt: row['created_at'] as number,
    updatedAt: row['updated_at'] as number,
    ...(typeof row['last_used_at'] === 'number' ? { lastUsedAt: row['last_used_at'] } : {}),
    ...(typeof row['expires_at'] === 'number' ? { expiresAt: row['expires_at'] } : {}),
  };
}

/** Maps a row of `credential_uses`. */
export function toLoggedUse(row: Row): LoggedUse {
  return {
    credential: row['credential'] as string,
    name: row['name'] as string,
    at: row['at'] as number,
    outcome: row['outcome'] as LoggedUse['outcome'],
    tool: row['tool'] as string,
    ...(typeof row['run'] === 'string' ? { run: row['run'] } : {}),
    purpose: row['purpose'] as string,
    ...(typeof row['why'] === 'string' ? { why: row['why'] } : {}),
  };
}
