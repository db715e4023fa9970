import { homedir } from 'node:os';
import { join } from 'node:path';

/** The user's folder: `OKA_HOME`, else in the standard configuration folder. */
export function okaHome(environment: Readonly<Record<string, string | undefined>> = process.env): string {
  if (environment['OKA_HOME']) return environment['OKA_HOME'];
  return join(environment['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'oka');
}
