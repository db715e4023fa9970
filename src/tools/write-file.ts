import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { digestOf, OkaError } from '../kernel/index.ts';
import { changedLines } from './changed-lines.ts';
import { defined, defineTool } from './define-tool.ts';
import { captureFile, fileBefore, fileEffect, mediaTypeOf, restoreFiles } from './file-change.ts';
import type { Files } from './ports.ts';

export const writeFile: Tool = defineTool({
  name: 'files.write',
  description: 'Writes a text file of the workspace, replacing it if it exists; can be undone.',
  input: z.strictObject({
    path: z.string().min(1).describe('the file to write, relative to the workspace'),
    content: z.string().describe('the whole new content'),
  }),
  output: z.strictObject({
    path: z.string(),
    bytes: z.int(),
    digest: z.string(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  simulatable: true,
  effect: ({ path }) => fileEffect('write', path),
  writes: (input) => [(input as { path: string }).path],
  async preimage({ path, content }, context) {
    const before = await captureFile(path, context);
    return { ...before, ...defined({ change: await changedLines(before, content, context) }) };
  },
  undo: ({ input, preimage, force }, context) =>
    restoreFiles([{ before: fileBefore.parse(preimage), after: digestOf(input.content) }], force, context),
  async handler({ path, content }, context) {
    const files = requireCapability<Files>(context, 'files');
    const digest = digestOf(content);
    context.noteWrite?.({ digest, path });
    const before = await files.digest(path);
    if (content.trim() === '' && before !== undefined && before !== digest && before !== digestOf(''))
      throw new OkaError(
        'files.empty_write',
        `Writing nothing to ${path} would discard its content. To empty it on purpose, delete the file or edit it.`,
        { data: { path } },
      );
    const isUnchanged = before === digest;
    const written = isUnchanged
      ? await files.locate(path, 'write')
      : (await files.writeAtomic(path, content)).path;
    const artifact = await context.emitArtifact(content, { name: written, mediaType: mediaTypeOf(written) });
    return { path: written, bytes: artifact.bytes, digest };
  },
});
