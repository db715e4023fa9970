import { type Digest, digestOfJson, type Json, type JsonObject, OkaError } from '../../kernel/index.ts';
import { isAllowedVariable } from '../environment-names.ts';
import type { McpErrorCode, ServerLaunch, ServerTool } from './types.ts';

/**
 * The approved part of a launch: everything except the values of variables and headers, which may be secret and may change.
 * Their names and the references in their templates are included.
 */
export function faceOfLaunch(launch: ServerLaunch): JsonObject {
  if (launch.transport === 'http')
    return { transport: 'http', url: launch.url, headers: referencesOf(launch.headers) };
  const { command, args, environment, sandbox } = launch;
  // Another value of such a variable is another program.
  const decisive = Object.entries(environment).filter(([name]) => !isAllowedVariable(name));
  return {
    transport: 'stdio',
    command,
    args,
    environment: { ...referencesOf(environment), ...Object.fromEntries(decisive) },
    ...(sandbox === undefined ? {} : { sandbox: sandbox as unknown as Json }),
  };
}

/** The hash that an approval covers: the launch and all tools, regardless of their order. */
export function hashServer(launch: JsonObject, tools: readonly ServerTool[]): Digest {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return digestOfJson({ launch, tools: sorted });
}

function referencesOf(members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, text]) => [name, templateNames(text)]));
}

const TEMPLATE = /\$\{(?:vault:([^}]{1,200})|([A-Za-z_][A-Za-z0-9_]{0,199})(?::-([^}]*))?)\}/g;

/** The sources of template values. */
interface LaunchValues {
  readonly environment: (name: string) => string | undefined;
  readonly secret: (name: string) => Promise<string | undefined>;
}

/** The references in a text's templates, such as `HOME` and `vault:github`. */
function templateNames(text: string): readonly string[] {
  return [...text.matchAll(TEMPLATE)].map(([, secret, name]) =>
    secret === undefined ? String(name) : `vault:${secret}`,
  );
}

/** Fills in every template of a launch. Fails with `mcp.missing_value`. */
export async function fillLaunch(
  server: string,
  launch: ServerLaunch,
  values: LaunchValues,
): Promise<ServerLaunch> {
  const fill = (text: string): Promise<string> => fillText(server, text, values);
  if (launch.transport === 'http')
    return { ...launch, url: await fill(launch.url), headers: await fillMembers(launch.headers, fill) };
  return {
    ...launch,
    command: await fill(launch.command),
    args: await Promise.all(launch.args.map(fill)),
    environment: await fillMembers(launch.environment, fill),
  };
}

async function fillMembers(
  members: Readonly<Record<string, string>>,
  fill: (text: string) => Promise<string>,
): Promise<Readonly<Record<string, string>>> {
  const filled = Object.entries(members).map(async ([name, text]) => [name, await fill(text)] as const);
  return Object.fromEntries(await Promise.all(filled));
}

async function fillText(server: string, text: string, values: LaunchValues): Promise<string> {
  let filled = '';
  let end = 0;
  for (const match of text.matchAll(TEMPLATE)) {
    const [whole, secret, name, otherwise] = match;
    const value =
      secret === undefined ? (values.environment(String(name)) ?? otherwise) : await values.secret(secret);
    if (value === undefined) throw missingValue(server, secret, name);
    filled += text.slice(end, match.index) + value;
    end = match.index + whole.length;
  }
  return filled + text.slice(end);
}

function missingValue(server: string, secret: string | undefined, name: string | undefined): OkaError {
  const what =
    secret === undefined
      ? `the variable ${name}. Set it, or give a default: \${${name}:-value}`
      : `the secret "${secret}". Add it with: oka vault add ${secret}`;
  return new OkaError<McpErrorCode>('mcp.missing_value', `The MCP server "${server}" needs ${what}.`, {
    data: { server, name: secret === undefined ? (name ?? '') : `vault:${secret}` },
  });
}
