import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { defineTool } from './define-tool.ts';
import { captureExisting, fileBefore, fileEffect, restoreFiles } from './file-change.ts';
import type { Files } from './ports.ts';

export const deleteFile: Tool = defineTool({
  name: 'files.delete',
  description: 'Deletes a file or an empty folder of the workspace; can be undone.',
  input: z.strictObject({
    path: z.string().min(1).describe('the file or empty folder to delete, relative to the workspace'),
  }),
  output: z.strictObject({ path: z.string() }),
  annotations: { readOnly: false, destructive: true, idempotent: false, cacheable: false, risk: 'medium' },
  sideEffect: 'write_local',
  simulatable: true,
  effect: ({ path }) => fileEffect('delete', path),
  writes: (input) => [(input as { path: string }).path],
  preimage: ({ path }, context) => captureExisting(path, context),
  undo: ({ preimage, force }, context) =>
    restoreFiles([{ before: fileBefore.parse(preimage), after: undefined }], force, context),
  async handler({ path: given }, context) {
    const files = requireCapability<Files>(context, 'files');
    const path = await files.locate(given, 'write');
    await files.remove(path);
    return { path };
  },
});
