import { homedir } from 'node:os';
import { join } from 'node:path';

/** The person's own folder: `OKA_HOME`, else below the usual place for configuration. */
export function okaHome(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment['OKA_HOME']) return environment['OKA_HOME'];
  return join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'oka');
}
