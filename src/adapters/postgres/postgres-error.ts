import { isOkaError, OkaError } from '../../kernel/index.ts';
import type { LedgerErrorCode } from '../../ledger/index.ts';

const IS_STATE = /^[0-9A-Z]{5}$/;
/** The connection ended, whatever became of the transaction. */
const LOST = /^(08|57P0)/;
const UNIQUE_VIOLATION = '23505';
/** Connection, resources, shutdown or startup, and conflicts that the next attempt may not have. */
const PASSING = /^(08|53|57P|40|55P03|25006|25P0)/;
const DENIED = /^(28|3D000|42501)/;
const TOO_LARGE = /^(54|22)/;

interface PostgresFailure {
  readonly code?: string;
  readonly message?: string;
}

/** Raised by `require_fold`. */
export const OTHER_FOLD = 'OKA01';

/** Whether another build of Oka has changed the folded tables. */
export function isOtherFold(error: unknown): boolean {
  return (error as PostgresFailure | undefined)?.code === OTHER_FOLD;
}

/** Whether the server answered with an error, so that the transaction is known to have failed. */
export function isServerError(error: unknown): boolean {
  const code = (error as PostgresFailure | undefined)?.code ?? '';
  return IS_STATE.test(code) && !LOST.test(code);
}

/** Whether a key of this statement is already taken. */
export function isKeyTaken(error: unknown): boolean {
  return (error as PostgresFailure | undefined)?.code === UNIQUE_VIOLATION;
}

/** Translates an error of PostgreSQL or of the connection. The message never contains the connection string. */
export function translatePostgresError(error: unknown, server: string): OkaError<LedgerErrorCode> {
  if (isOkaError(error)) return error as OkaError<LedgerErrorCode>;
  const { code = '', message = '' } = error as PostgresFailure;
  const isState = IS_STATE.test(code);
  const reason = isState ? `${message} (${code})` : code || message || 'the connection was lost';
  const fail = (ledgerCode: LedgerErrorCode, what: string, transient: boolean): OkaError<LedgerErrorCode> =>
    new OkaError(ledgerCode, what, { data: { server, ...(isState ? { state: code } : {}) }, transient });
  if (code === '53100')
    return fail('ledger.disk_full', `The disk of ${server} is full: ${reason}. Free space there.`, true);
  if (code === '25006')
    return fail(
      'ledger.read_only',
      `${server} is read-only: ${reason}. Connect to the primary server, or end its recovery.`,
      true,
    );
  if (code === '55P03' || code === '40001' || code === '40P01')
    return fail('ledger.busy', `${server} is busy: ${reason}. Try again.`, true);
  if (!isState || PASSING.test(code))
    return fail(
      'ledger.unavailable',
      `${server} is not reachable: ${reason}. Start it, or check the address in the setting ledger.`,
      true,
    );
  if (DENIED.test(code))
    return fail(
      'ledger.unavailable',
      `${server} refused access: ${reason}. Check the user, the password and the database of the setting ledger.`,
      false,
    );
  if (TOO_LARGE.test(code)) return fail('ledger.bad_event', `${server} cannot store this: ${reason}.`, false);
  return fail('ledger.unavailable', `${server} rejected a statement: ${reason}. Check its log.`, false);
}
