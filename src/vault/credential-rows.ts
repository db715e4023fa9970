import type { Row } from '../ledger/index.ts';
import type { Credential, LoggedUse } from './types.ts';

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
