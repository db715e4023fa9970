import { realpathSync } from 'node:fs';
import { relative } from 'node:path';
import { digestOfFileNow, namedFiles } from '../../disk/index.ts';
import type { JsonObject } from '../../kernel/index.ts';
import { faceOfLaunch, fillLaunch, type ServerLaunch } from '../../tools/index.ts';

/**
 * The part of a launch that an approval covers, with the files of the workspace that the command names, by content. A server
 * without such files has the same face as in earlier versions.
 */
export async function faceWithFiles(
  launch: ServerLaunch,
  folder: string,
  environment: (name: string) => string | undefined,
): Promise<JsonObject> {
  const face = faceOfLaunch(launch);
  if (launch.transport !== 'stdio') return face;
  // Secrets name no files; a variable may.
  const filled = await fillLaunch('', launch, { environment, secret: async () => '' }).catch(() => launch);
  const { command, args } = filled as typeof launch;
  const root = realpathSync.native(folder);
  const words = [...(command.includes('/') ? [command] : []), ...args];
  const files = Object.fromEntries(
    namedFiles(words, root, root).flatMap((path) => {
      const digest = digestOfFileNow(path);
      return digest === undefined ? [] : [[relative(root, path), digest]];
    }),
  );
  return Object.keys(files).length === 0 ? face : { ...face, files };
}
