import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Trusts a workspace as earlier versions recorded it: everything in it when it is opened first counts as approved. It needs no
 * command, so most tests begin with it.
 */
export function trustFolder(home: string, workspace: string): void {
  mkdirSync(home, { recursive: true });
  const file = join(home, 'trust.json');
  let workspaces = {};
  try {
    ({ workspaces } = JSON.parse(readFileSync(file, 'utf8')));
  } catch {
    // The first workspace of this user.
  }
  const added = { [realpathSync(workspace)]: { trustedAt: 1 } };
  writeFileSync(file, JSON.stringify({ workspaces: { ...workspaces, ...added } }));
}
