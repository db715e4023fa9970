import { OkaError } from '../../kernel/index.ts';
import type { ReplicationErrorCode } from '../../ledger/index.ts';

const LOOPBACK = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Rejects invalid addresses, addresses with a password, and unencrypted ones outside this machine. */
export function checkHttpUrl(url: string): URL {
  const parsed = URL.canParse(url) ? new URL(url) : undefined;
  if (parsed === undefined || !['http:', 'https:'].includes(parsed.protocol))
    throw invalid('The address of the endpoint is not an http or https address');
  if (parsed.username !== '' || parsed.password !== '')
    throw invalid(
      'The address of the endpoint contains a password; put it in the vault and name it in token_secret',
    );
  if (parsed.protocol === 'http:' && !LOOPBACK.test(parsed.hostname))
    throw invalid(`The ledger would be sent to ${parsed.host} unencrypted; use https`);
  return parsed;
}

function invalid(what: string): OkaError<ReplicationErrorCode> {
  return new OkaError('replication.invalid', `${what}. Fix replication in your config.json.`);
}
