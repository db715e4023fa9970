import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { userNumber } from '../disk/index.ts';
import { digestOf } from '../kernel/index.ts';

/**
 * The socket of a workspace's daemon or an agent's host. It is derived only from the workspace and the user's folder, so that
 * nothing in a workspace can redirect commands; it is outside the workspace because socket paths must be short.
 */
export function daemonSocket(
  place: {
    readonly workspace: string;
    readonly home: string;
    /** An agent with its own host process. */
    readonly agent?: string;
  },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly folder: string; readonly path: string } {
  const own = environment['XDG_RUNTIME_DIR'];
  const folder = own ? join(own, 'oka') : join(tmpdir(), `oka-${userNumber()}`);
  const parts = [place.home, place.workspace, ...(place.agent === undefined ? [] : [place.agent])];
  const name = digestOf(parts.join('\0')).slice(0, 24);
  return { folder, path: join(folder, `${name}.sock`) };
}
