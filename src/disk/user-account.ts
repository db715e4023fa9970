// Owns: what the system knows about the user. A user may have no entry in the password database, as in many containers.
import { homedir, userInfo } from 'node:os';

/** A folder that does not exist, for a user without a home. */
export const NO_HOME = '/nonexistent';

/** The home folder: `HOME`, else the one of the password database. */
export function userHome(): string {
  try {
    return homedir() || NO_HOME;
  } catch {
    return NO_HOME;
  }
}

/** The home folder of the password database, whatever the environment says. */
export function accountHome(): string | undefined {
  return account()?.homedir;
}

/** The name of the user; the number of one without an entry. */
export function userName(): string {
  return account()?.username ?? String(userNumber());
}

/** -1 on Windows. */
export function userNumber(): number {
  return process.getuid?.() ?? -1;
}

function account(): { readonly homedir: string; readonly username: string } | undefined {
  try {
    return userInfo({ encoding: 'utf8' });
  } catch {
    return undefined;
  }
}
