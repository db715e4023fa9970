import {
  checkHttpUrl,
  checkPostgresUrl,
  checkSchema,
  HttpSink,
  PostgresSink,
} from '../../adapters/replication/index.ts';
import type { ReplicationConfig } from '../../config/index.ts';
import { OkaError, type Redactor } from '../../kernel/index.ts';
import type { Projection, ReplicaSink, ReplicationErrorCode } from '../../ledger/index.ts';
import { memoryProjection } from '../../memory/index.ts';
import type { CredentialUse } from '../../vault/index.ts';

/** Resolves the values that the configuration names. */
export interface SinkSecrets {
  readonly environment: (name: string) => string | undefined;
  readonly vault: (name: string, use: CredentialUse) => Promise<string | undefined>;
  readonly redactor: Redactor;
}

/** The tables replicated besides the events. */
export const REPLICATED: readonly Projection[] = [memoryProjection];

const TOOL = 'replication';

/** The configured sink. Does not connect yet. */
export async function openSink(config: ReplicationConfig, secrets: SinkSecrets): Promise<ReplicaSink> {
  if ('http' in config) {
    const { url: address, tokenSecret } = config.http;
    const url = checkHttpUrl(address);
    const token =
      tokenSecret === undefined ? undefined : await fromVault(tokenSecret, secrets, { host: url.host });
    return new HttpSink({ url, projections: REPLICATED, ...(token === undefined ? {} : { token }) });
  }
  const { urlSecret, urlEnv, schema } = config.postgres;
  const found =
    urlSecret === undefined ? fromEnvironment(urlEnv ?? '', secrets) : await fromVault(urlSecret, secrets);
  const from = urlSecret === undefined ? `the variable ${urlEnv}` : `the credential ${urlSecret}`;
  return new PostgresSink({
    url: checkPostgresUrl(found, from),
    projections: REPLICATED,
    ...(schema === undefined ? {} : { schema: checkSchema(schema) }),
  });
}

/** A short description of the sink, without connecting. */
export function describeSink(config: ReplicationConfig): string {
  if ('http' in config) return URL.canParse(config.http.url) ? new URL(config.http.url).host : 'HTTP';
  const { urlSecret, urlEnv } = config.postgres;
  return urlSecret === undefined
    ? `PostgreSQL of the variable ${urlEnv}`
    : `PostgreSQL of the credential ${urlSecret}`;
}

async function fromVault(
  name: string,
  { vault, redactor }: SinkSecrets,
  where: { readonly host?: string } = {},
): Promise<string> {
  const value = await vault(name, { tool: TOOL, from: 'user', ...where });
  if (value === undefined)
    throw invalid(
      `there is no credential ${name} for replication; add it with: oka vault add ${name} --scope tool:${TOOL}.`,
    );
  redactor.addSecret(name, value);
  return value;
}

function fromEnvironment(name: string, { environment, redactor }: SinkSecrets): string {
  const value = environment(name)?.trim();
  if (!value)
    throw invalid(`the variable ${name}, which replication needs, is not set; set it and try again.`);
  redactor.addSecret(name, value);
  return value;
}

function invalid(message: string): OkaError<ReplicationErrorCode> {
  return new OkaError('replication.invalid', message);
}
