import * as z from 'zod';
import { requireCapability, type Tool } from '../../engine/index.ts';
import { isOkaError } from '../../kernel/index.ts';
import { defineTool } from '../define-tool.ts';
import { captureExisting, type FileBefore, fileBefore, restoreFiles } from '../file-change.ts';
import type { Files } from '../ports.ts';
import {
  changeEach,
  MAX_CHANGED,
  pathList,
  refuse,
  requireUnchanged,
  setEffect,
  unchangedSince,
} from './file-set.ts';

export const deleteFiles: Tool = defineTool({
  name: 'files.delete_many',
  description: 'Deletes several files or folders of the workspace; can be undone.',
  input: z.strictObject({
    paths: pathList(
      MAX_CHANGED,
      'the files and folders to delete, relative to the workspace; everything in a folder must be listed before it',
    ),
    unchanged_since: unchangedSince,
  }),
  output: z.strictObject({ paths: z.array(z.string()) }),
  annotations: { readOnly: false, destructive: true, idempotent: true, cacheable: false, risk: 'medium' },
  sideEffect: 'write_local',
  countsAs: ['files.delete'],
  simulatable: true,
  effect: ({ paths }) => setEffect('delete', paths),
  writes: (input) => (input as { paths: string[] }).paths,
  async preimage({ paths, unchanged_since }, context) {
    const files = requireCapability<Files>(context, 'files');
    const before: FileBefore[] = [];
    const listed = new Set<string>();
    for (const path of paths) {
      const entry = await files.stat(path);
      if (entry?.kind === 'file') requireUnchanged(entry, unchanged_since);
      if (entry?.kind === 'directory') await requireEmptied(files, entry.path, listed);
      const state = await captureExisting(path, context);
      if (listed.has(state.path)) throw refuse('files.invalid_path', state.path, 'is named twice');
      listed.add(state.path);
      before.push(state);
    }
    return before;
  },
  undo: ({ preimage, force }, context) => {
    const before = z.array(fileBefore).parse(preimage);
    // Folders come after their files, and must exist before them.
    const changes = before.toReversed().map((one) => ({ before: one, after: undefined }));
    return restoreFiles(changes, force, context);
  },
  async handler({ paths, unchanged_since }, context) {
    await changeEach(paths, context, async (path, files) => {
      const entry = await files.stat(path);
      // An earlier attempt of this call deleted it.
      if (entry === undefined) return;
      if (entry.kind === 'file') requireUnchanged(entry, unchanged_since);
      try {
        await files.remove(path);
      } catch (error) {
        if (!isOkaError(error, 'files.not_found')) throw error;
      }
    });
    return { paths };
  },
});

/** Everything in a folder must be deleted before it. */
async function requireEmptied(files: Files, folder: string, listed: ReadonlySet<string>): Promise<void> {
  const max = Number.POSITIVE_INFINITY;
  const { entries } = await files.list(folder, { depth: 1, max, ignored: true });
  const left = entries.find(({ path }) => !listed.has(path));
  if (left !== undefined)
    throw refuse('files.not_a_file', folder, `is a folder that is not empty: it holds ${left.path}`);
}
