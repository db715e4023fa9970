import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { ReplicationErrorCode } from '../../ledger/index.ts';

/** Kinds of trouble that pass: connection, resources, shutting down or starting up, a lost race. */
const PASSING = /^(08|53|57|40|55P03)/;
const REFUSED = /^(28|3D|42501)/;

/** What PostgreSQL or the way to it said, in our words. The connection string is in none of them. */
export function postgresError(error: unknown, sink: string): Error {
  if (isOkaError(error)) return error;
  const { code, message } = error as { code?: string; message?: string };
  const isState = code !== undefined && /^[0-9A-Z]{5}$/.test(code);
  const said = isState ? `${message} (${code})` : (code ?? plain(message));
  if (!isState || PASSING.test(code)) {
    const next = 'what is not there yet is sent when it answers again';
    return failure('replication.unreachable', `${sink} does not answer: ${said}; ${next}.`, sink, true);
  }
  const next = REFUSED.test(code)
    ? 'check the user, the database and the rights that the connection string names'
    : 'look into the log of the server';
  return failure('replication.refused', `${sink} refuses: ${said}; ${next}.`, sink, false);
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
