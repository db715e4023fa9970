import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../engine/index.ts';
import { type Digest, digestOf, type JsonObject, OkaError } from '../kernel/index.ts';
import { changedLines } from './changed-lines.ts';
import { defined, defineTool, type ToolDefinition } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { captureFile, fileBefore, fileEffect, mediaTypeOf, restoreFiles } from './file-change.ts';
import { restoreSecrets } from './hidden-secrets.ts';
import type { Files } from './ports.ts';

const output = z.strictObject({ path: z.string(), bytes: z.int(), digest: z.string() });
const writeBefore = fileBefore.extend({ after: z.string().exactOptional() });

/** The members of a tool that writes one text file; `textOf` gives its whole new content. */
export function writing<Input extends { readonly path: string }>(
  textOf: (input: Input, context: ToolContext) => Promise<string>,
): Omit<ToolDefinition<z.ZodType<Input>, typeof output>, 'name' | 'description' | 'input'> {
  return {
    output,
    annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
    sideEffect: 'write_local',
    simulatable: true,
    acceptsMarks: true,
    effect: ({ path }) => fileEffect('write', path),
    writes: (input) => [(input as Input).path],
    async preimage(input, context) {
      const before = await captureFile(input.path, context);
      const text = await textOf(input, context);
      const change = await changedLines(before, text, context);
      return { ...before, after: digestOf(text), ...defined({ change }) };
    },
    undo({ input, preimage, force }, context) {
      const { after, ...before } = writeBefore.parse(preimage);
      // Older records have no digest; they have the content.
      const written = after ?? digestOf(String((input as JsonObject)['content']));
      return restoreFiles([{ before, after: written as Digest }], force, context);
    },
    async handler(input, context) {
      const files = requireCapability<Files>(context, 'files');
      const text = await textOf(input, context);
      const digest = digestOf(text);
      const before = await files.digest(input.path);
      if (text.trim() === '' && before !== undefined && before !== digest && before !== digestOf(''))
        throw new OkaError<ToolsErrorCode>(
          'files.empty_write',
          `Writing nothing to ${input.path} would discard its content. To empty it on purpose, delete the file or edit it.`,
          { data: { path: input.path } },
        );
      const isUnchanged = before === digest;
      const path = isUnchanged
        ? await files.locate(input.path, 'write')
        : (await files.writeAtomic(input.path, text)).path;
      // Who states the content that is there has written it too.
      if (isUnchanged) context.noteWrite?.({ digest, path, place: { made: [] } });
      await context.emitArtifact(context.redactor.tagged(text), { name: path, mediaType: mediaTypeOf(path) });
      return { path, bytes: Buffer.byteLength(text), digest };
    },
  };
}

export const writeFile: Tool = defineTool({
  name: 'files.write',
  description: 'Writes a text file of the workspace, replacing it if it exists; can be undone.',
  input: z.strictObject({
    path: z.string().min(1).describe('the file to write, relative to the workspace'),
    content: z.string().describe('the whole new content'),
  }),
  ...writing<{ readonly path: string; readonly content: string }>(({ path, content }, context) =>
    restoreSecrets(path, content, context),
  ),
});
