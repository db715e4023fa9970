import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../engine/index.ts';
import { type Digest, digestOf, OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { captureExisting, fileBefore, fileEffect, mediaTypeOf, restoreFiles } from './file-change.ts';
import { restoreSecrets } from './hidden-secrets.ts';
import { noteFileRead } from './note-content.ts';
import type { FileContent, Files } from './ports.ts';
import { unifiedDiff } from './unified-diff.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('the file to edit, relative to the workspace'),
  old: z.string().min(1).describe('the exact text to replace, long enough to occur only once'),
  new: z.string().describe('the replacement'),
  all: z.boolean().default(false).describe('replace every occurrence'),
});
type EditInput = z.output<typeof input>;

const editBefore = fileBefore.extend({ after: z.string() });

export const editFile: Tool = defineTool({
  name: 'files.edit',
  description: 'Replaces text in a file of the workspace and returns the diff; can be undone.',
  input,
  output: z.strictObject({
    path: z.string(),
    replaced: z.int().describe('the number of replaced occurrences'),
    diff: z.string(),
    digest_before: z.string(),
    digest: z.string(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  simulatable: true,
  acceptsMarks: true,
  effect: ({ path }) => fileEffect('edit', path),
  writes: (input) => [(input as EditInput).path],
  async preimage(given, context) {
    const before = await captureExisting(given.path, context);
    const file = await requireCapability<Files>(context, 'files').read(given.path);
    const { edited } = edit(await withSecrets(given, context), file);
    return { ...before, after: digestOf(edited) };
  },
  undo({ preimage, force }, context) {
    const { after, ...before } = editBefore.parse(preimage);
    return restoreFiles([{ before, after: after as Digest }], force, context);
  },
  async handler(given, context) {
    const files = requireCapability<Files>(context, 'files');
    const file = await files.read(given.path);
    await noteFileRead(context, file.path, file.digest);
    const { text, edited, replaced } = edit(await withSecrets(given, context), file);
    const { path, digest } = await files.writeAtomic(given.path, edited);
    const hide = context.redactor.tagged;
    await context.emitArtifact(hide(edited), { name: path, mediaType: mediaTypeOf(path) });
    const diff = await unifiedDiff(path, hide(text), hide(edited));
    return { path, replaced, diff, digest_before: file.digest, digest };
  },
});

async function withSecrets(given: EditInput, context: ToolContext): Promise<EditInput> {
  const { path } = given;
  return {
    ...given,
    old: await restoreSecrets(path, given.old, context),
    new: await restoreSecrets(path, given.new, context),
  };
}

function edit(
  given: EditInput,
  file: FileContent,
): { readonly text: string; readonly edited: string; readonly replaced: number } {
  const { path } = file;
  const text = decodeText(file.content, file.truncated);
  if (text === undefined) throw refuse('files.not_text', path, 'is not UTF-8 text. Choose a text file');
  const parts = text.split(given.old);
  const found = parts.length - 1;
  if (found === 0)
    throw refuse(
      'files.text_not_found',
      path,
      'does not contain the text to replace. Read it with files.read and copy the text exactly, including spaces',
    );
  if (found > 1 && !given.all)
    throw refuse(
      'files.text_ambiguous',
      path,
      `contains the text to replace ${found} times. Add the text around it, or set "all"`,
      { found },
    );
  return { text, edited: parts.join(given.new), replaced: found };
}

function refuse(
  code: ToolsErrorCode,
  path: string,
  what: string,
  data: { readonly found?: number } = {},
): OkaError<ToolsErrorCode> {
  return new OkaError(code, `"${path}" ${what}.`, { data: { path, ...data } });
}
