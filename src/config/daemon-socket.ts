import { tmpdir, userInfo } from 'node:os';
import { join } from 'node:path';
import { digestOf } from '../kernel/index.ts';

/**
 * Where the daemon of a workspace, or the host of an agent, listens. It follows from the workspace and the person's folder alone, so that nothing in
 * a workspace can send a command elsewhere; socket paths must be short, so it does not lie in the workspace.
 */
export function daemonSocket(
  place: {
    readonly workspace: string;
    readonly home: string;
    /** An agent that answers in a process of its own. */
    readonly agent?: string;
  },
  environment: Readonly<Record<string, string | undefined>> = process.env,
): { readonly folder: string; readonly path: string } {
  const own = environment['XDG_RUNTIME_DIR'];
  const folder = own ? join(own, 'oka') : join(tmpdir(), `oka-${userInfo().uid}`);
  const parts = [place.home, place.workspace, ...(place.agent === undefined ? [] : [place.agent])];
  const name = digestOf(parts.join('\0')).slice(0, 24);
  return { folder, path: join(folder, `${name}.sock`) };
}
