import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { ReplicationErrorCode } from '../../ledger/index.ts';

/** Transient states: connection, resources, shutdown or startup, serialization conflicts. */
const TRANSIENT = /^(08|53|57|40|55P03)/;
const REFUSED = /^(28|3D|42501)/;

/** Explains an error of PostgreSQL or its connection, without the connection string. */
export function postgresError(error: unknown, sink: string): Error {
  if (isOkaError(error)) return error;
  const { code, message } = error as { code?: string; message?: string };
  const isState = code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  const said = isState ? `${message} (${code})` : (code ?? plain(message));
  if (!isState || TRANSIENT.test(code)) {
    const next = 'Oka retries and sends the rest when it answers';
    return failure('replication.unreachable', `${sink} is not reachable: ${said}. ${next}.`, sink, true);
  }
  const next = REFUSED.test(code)
    ? 'Check the user, the database and the permissions in the connection string'
    : 'Check the log of the server';
  return failure('replication.refused', `${sink} rejected the request: ${said}. ${next}.`, sink, false);
}

function failure(
  code: ReplicationErrorCode,
  message: string,
  sink: string,
  transient: boolean,
): OkaError<ReplicationErrorCode> {
  return new OkaError(code, message, { data: { sink }, transient });
}

function plain(message: string | undefined): string {
  return message === undefined || message === '' ? 'the connection was lost' : message;
}
