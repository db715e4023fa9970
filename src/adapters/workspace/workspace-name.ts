import { realpathSync } from 'node:fs';

/** A workspace is identified by its real path, so that a link cannot use another folder's trust or approvals. */
export function workspaceName(workspace: string): string {
  return realpathSync.native(workspace);
}
