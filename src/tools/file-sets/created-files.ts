// Owns: undoing calls that create files. I1 A file that changed since is kept unless forced.
import * as z from 'zod';
import { requireCapability, type ToolContext } from '../../engine/index.ts';
import { conflict, removeEmpty } from '../file-change.ts';
import type { Files } from '../ports.ts';

/** The files and folders that a call creates, with the digests that the files get. */
export const createdFiles = z.object({
  files: z.array(z.object({ path: z.string(), existed: z.literal(false), digest: z.string() })),
  /** Deepest first. */
  folders: z.array(z.string()),
});

/** Removes files that a call created, and the folders that are empty then. */
export async function removeCreated(
  created: z.output<typeof createdFiles>,
  force: boolean,
  context: ToolContext,
): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const found: string[] = [];
  for (const { path, digest } of created.files) {
    const now = await files.digest(path);
    if (now === undefined) continue;
    if (now !== digest && !force) throw conflict(path, false);
    found.push(path);
  }
  for (const path of found) await files.remove(path);
  await removeEmpty(created.folders, files);
  const [first = ''] = found;
  return found.length === 1
    ? `removed ${first}, which the run had created`
    : `removed ${found.length} files that the run had created`;
}
