import { OkaError } from '../../kernel/index.ts';
import type { ReplicationErrorCode } from '../../ledger/index.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Refuses an address that is none, that holds a password, or that would carry the ledger readable through a network. */
export function checkHttpUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol))
    throw invalid('the address of the endpoint is no http or https address');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid(
      'the address of the endpoint holds a password; put it in the vault and name it in token_secret',
    );
  if (parsed.protocol === 'http:' && !LOOPBACK.test(parsed.hostname))
    throw invalid(`${parsed.host} would be sent the ledger in clear; use https`);
  return parsed;
}

function invalid(what: string): OkaError<ReplicationErrorCode> {
  return new OkaError('replication.invalid', `${what}. Mend replication in your config.json.`);
}
