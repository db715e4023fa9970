import { type Digest, digestOfJson, type JsonObject } from '../../kernel/index.ts';
import { refuseEnvironment } from '../environment-names.ts';
import { templateNames } from './launch-templates.ts';
import type { ServerLaunch, ServerTool } from './types.ts';

/**
 * What of a launch is approved: everything but the values of variables and headers, which may be secret and change.
 * Their names count, and so does what their templates refer to.
 */
export function faceOfLaunch(launch: ServerLaunch): JsonObject {
  if (launch.transport === 'http')
    return { transport: 'http', url: launch.url, headers: referencesOf(launch.headers) };
  const { command, args, environment } = launch;
  const decisive = Object.entries(environment).filter(([name]) => decidesCode(name));
  return {
    transport: 'stdio',
    command,
    args,
    environment: { ...referencesOf(environment), ...Object.fromEntries(decisive) },
  };
}

/** What an approval is bound to: how the server is reached and every word of its tools, in whatever order. */
export function hashServer(launch: JsonObject, tools: readonly ServerTool[]): Digest {
  const sorted = [...tools].sort((a, b) => (a.name < b.name ? -1 : 1));
  return digestOfJson({ launch, tools: sorted });
}

function referencesOf(members: Readonly<Record<string, string>>): JsonObject {
  return Object.fromEntries(Object.entries(members).map(([name, text]) => [name, templateNames(text)]));
}

/** Whether a variable can make a program run something else; another value is then another program. */
function decidesCode(name: string): boolean {
  try {
    refuseEnvironment([name]);
    return false;
  } catch {
    return true;
  }
}
