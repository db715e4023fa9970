import { OkaError } from '../../kernel/index.ts';
import type { McpErrorCode } from './errors.ts';
import type { ServerLaunch } from './types.ts';

const TEMPLATE = /\$\{(?:vault:([^}]{1,200})|([A-Za-z_][A-Za-z0-9_]{0,199})(?::-([^}]*))?)\}/g;

/** Where the values of templates come from. */
export interface LaunchValues {
  readonly environment: (name: string) => string | undefined;
  readonly secret: (name: string) => Promise<string | undefined>;
}

/** What the templates in a text refer to, as in `HOME` and `vault:github`. */
export function templateNames(text: string): readonly string[] {
  return [...text.matchAll(TEMPLATE)].map(([, secret, name]) =>
    secret === undefined ? String(name) : `vault:${secret}`,
  );
}

/** The launch with every template filled in. Throws `mcp.missing_value` for a value that is nowhere to be found. */
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
      ? `the variable ${name}, which is not set; set it, or give a default as in \${${name}:-value}`
      : `the secret "${secret}", which the vault does not hold; add it with: oka vault add ${secret}`;
  return new OkaError<McpErrorCode>('mcp.missing_value', `the MCP server "${server}" needs ${what}.`, {
    data: { server, name: secret === undefined ? (name ?? '') : `vault:${secret}` },
  });
}
