import { basename, join } from 'node:path';
import { readJsonFile } from '../disk/index.ts';
import { OkaError } from '../kernel/index.ts';
import type { OkaConfig } from './types.ts';

/** A ledger on a PostgreSQL server. */
export interface LedgerLocation {
  /** `postgres://user@host/database`. */
  readonly url: string;
  readonly schema: string;
}

/**
 * Where the ledger of a workspace is: on the server that the environment or the user's file names, else in the workspace
 * (undefined). A project cannot choose it, because that would send everything to a server of the project's choice.
 */
export function ledgerLocation(
  place: { readonly home: string; readonly workspace: string; readonly id: string | undefined },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): LedgerLocation | undefined {
  const setting = readSetting(place.home);
  const url = environment['OKA_LEDGER_URL'] || setting?.url;
  if (typeof url !== 'string') return undefined;
  return parseLocation(url, environment['OKA_LEDGER_SCHEMA'] || setting?.schema || schemaOf(place));
}

/** The second folder for signed heads of ledgers, if the user names one. */
export function headsFolder(home: string): string | undefined {
  const folder = process.env['OKA_LEDGER_HEADS'] || readSetting(home)?.heads;
  return typeof folder === 'string' ? folder : undefined;
}

/** Checks the address and the schema. A schema in the address (`?schema=name`) is preferred. */
export function parseLocation(text: string, schema: string): LedgerLocation {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (url === undefined || !/^postgres(?:ql)?:$/.test(url.protocol))
    throw invalid('The address of the ledger is no postgres:// URL');
  const chosen = url.searchParams.get('schema') ?? schema;
  url.searchParams.delete('schema');
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(chosen))
    throw invalid(
      `The schema "${chosen}" is not usable: use lower-case letters, digits and underscores, at most 63`,
    );
  return { url: url.toString(), schema: chosen };
}

/** The schema of a workspace by default: the name of its folder, and its id, because folders share names. */
export function schemaOf({
  workspace,
  id = '',
}: {
  readonly workspace: string;
  readonly id: string | undefined;
}): string {
  const name = basename(workspace)
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '_');
  return `oka_${name.slice(0, 40)}_${id.slice(0, 12)}`;
}

/** Reads only this setting, because the ledger is opened before the configuration is loaded. */
function readSetting(home: string): OkaConfig['ledger'] {
  try {
    const { ledger } = (readJsonFile(join(home, 'config.json')) ?? {}) as Partial<OkaConfig>;
    return typeof ledger === 'object' && ledger !== null ? ledger : undefined;
  } catch {
    // The loader of the configuration reports what is wrong with the file.
    return undefined;
  }
}

function invalid(what: string): OkaError {
  return new OkaError('config.invalid', `${what}. Set OKA_LEDGER_URL or "ledger" in your config.json.`);
}
