import * as z from 'zod';
import { requireCapability, type Tool } from '../engine/index.ts';
import { type Digest, digestOf, OkaError } from '../kernel/index.ts';
import { decodeText } from './decode-text.ts';
import { defineTool } from './define-tool.ts';
import type { ToolsErrorCode } from './errors.ts';
import { captureExisting, fileBefore, restoreFiles } from './file-change.ts';
import { mediaTypeOf } from './media-type.ts';
import type { FileContent, Files } from './ports.ts';
import { unifiedDiff } from './text-diff.ts';

const input = z.strictObject({
  path: z.string().min(1).describe('the file to edit, relative to the workspace'),
  old: z
    .string()
    .min(1)
    .describe('the text to replace, exactly as it stands; with enough around it to occur once'),
  new: z.string().describe('the text to put in its place'),
  all: z.boolean().default(false).describe('replace every occurrence'),
});
type EditInput = z.output<typeof input>;

const editBefore = fileBefore.extend({ after: z.string() });

export const editFile: Tool = defineTool({
  name: 'files.edit',
  description: 'Replaces a piece of a text file of the workspace and gives the difference; can be undone.',
  input,
  output: z.strictObject({
    path: z.string(),
    replaced: z.int().describe('how many occurrences were replaced'),
    diff: z.string(),
    digest_before: z.string(),
    digest: z.string(),
  }),
  annotations: { readOnly: false, destructive: false, idempotent: false, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  simulatable: true,
  async preimage(given, context) {
    const before = await captureExisting(given.path, context);
    const { edited } = edit(given, await requireCapability<Files>(context, 'files').read(given.path));
    return { ...before, after: digestOf(edited) };
  },
  undo({ preimage, force }, context) {
    const { after, ...before } = editBefore.parse(preimage);
    return restoreFiles([{ before, after: after as Digest }], force, context);
  },
  async handler(given, context) {
    const files = requireCapability<Files>(context, 'files');
    const file = await files.read(given.path);
    const { text, edited, replaced } = edit(given, file);
    const { path, digest } = await files.writeAtomic(given.path, edited);
    await context.emitArtifact(edited, { name: path, mediaType: mediaTypeOf(path) });
    const diff = await unifiedDiff(path, text, edited);
    return { path, replaced, diff, digest_before: file.digest, digest };
  },
});

/** The text of a file before and after the replacement. */
function edit(
  given: EditInput,
  file: FileContent,
): { readonly text: string; readonly edited: string; readonly replaced: number } {
  const { path } = file;
  const text = decodeText(file.content, file.truncated);
  if (text === undefined)
    throw refuse(
      'files.not_text',
      path,
      'is not text in UTF-8, so no text of it can be replaced; choose a text file',
    );
  const parts = text.split(given.old);
  const found = parts.length - 1;
  if (found === 0)
    throw refuse(
      'files.text_not_found',
      path,
      'does not hold the text to replace; read it with files.read and give the text exactly as it stands, spaces included',
    );
  if (found > 1 && !given.all)
    throw refuse(
      'files.text_ambiguous',
      path,
      `holds the text to replace ${found} times; give more of what stands around it, or set all`,
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
