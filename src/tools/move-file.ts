import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { type Digest, OkaError } from '../kernel/index.ts';
import { defineTool } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { captureExisting, captureFile, fileBefore, restoreFiles } from './file-change.ts';
import type { Files } from './ports.ts';

const moveBefore = z.object({ from: fileBefore, to: fileBefore });

export const moveFile: Tool = defineTool({
  name: 'files.move',
  description: 'Moves or renames a file of the workspace; never replaces another file; can be undone.',
  input: z.strictObject({
    from: z.string().min(1).describe('the file to move, relative to the workspace'),
    to: z.string().min(1).describe('its new path; missing folders are created'),
  }),
  output: z.strictObject({ from: z.string(), to: z.string() }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  simulatable: true,
  effect: ({ from, to }) => ({ kind: 'file', what: `move ${from} to ${to}`, path: to }),
  writes: (input) => Object.values(input as { from: string; to: string }),
  async preimage({ from, to }, context) {
    const source = await captureExisting(from, context);
    if (source.folder) throw refuse('files.not_a_file', source.path, 'is a folder. Move the files in it');
    const target = await captureFile(to, context);
    if (target.existed)
      throw refuse('files.exists', target.path, 'already exists and is not replaced. Choose another name');
    return { from: source, to: target };
  },
  undo({ preimage, force }, context) {
    const { from, to } = moveBefore.parse(preimage);
    // Restores the old path before it removes the new one, so that the file always exists.
    const changes = [
      { before: from, after: undefined },
      { before: to, after: from.digest as Digest },
    ];
    return restoreFiles(changes, force, context);
  },
  async handler({ from, to }, context) {
    const files = requireCapability<Files>(context, 'files');
    const source = await files.locate(from, 'write');
    return { from: source, to: await files.move(from, to) };
  },
});

function refuse(code: ToolsErrorCode, path: string, what: string): OkaError<ToolsErrorCode> {
  return new OkaError(code, `"${path}" ${what}.`, { data: { path } });
}
