import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { digestOf, OkaError } from '../../kernel/index.ts';
import { decodeText } from '../decode-text.ts';
import { defineTool } from '../define-tool.ts';
import type { ToolsErrorCode } from '../errors.ts';
import { captureFile, fileBefore, restoreFiles } from '../file-change.ts';
import { noteFileRead } from '../note-content.ts';
import type { Files } from '../ports.ts';
import { MAX_COPIED, pathList, refuse, setEffect } from './file-set.ts';

const MAX_BYTES = 64 * 1024 * 1024;

const input = z.strictObject({
  from: pathList(MAX_COPIED, 'the text files to join, in this order, relative to the workspace'),
  to: z.string().min(1).describe('the file for the result'),
  header_once: z
    .boolean()
    .default(false)
    .describe('the files are tables with the same first line, which the result has once'),
  replace: z.boolean().default(false).describe('replaces the result if it exists'),
});
const mergeBefore = z.object({ before: fileBefore, digest: z.string() });

export const mergeFiles: Tool = defineTool({
  name: 'files.merge',
  description: 'Joins text files of the workspace into one file; can be undone.',
  input,
  output: z.strictObject({ path: z.string(), files: z.int(), bytes: z.int(), digest: z.string() }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  countsAs: ['files.read', 'files.write'],
  simulatable: true,
  effect: ({ from, to }) => setEffect('merge', from, to),
  writes: (given) => [(given as { to: string }).to],
  async preimage(given, context) {
    const before = await captureFile(given.to, context);
    if (before.existed && (before.folder || !given.replace))
      throw refuse('files.exists', before.path, 'already exists. Choose another name');
    return { before, digest: digestOf(await mergedText(given, context)) };
  },
  undo({ preimage, force }, context) {
    const { before, digest } = mergeBefore.parse(preimage);
    return restoreFiles([{ before, after: digest as ReturnType<typeof digestOf> }], force, context);
  },
  async handler(given, context) {
    const files = requireCapability<Files>(context, 'files');
    const text = await mergedText(given, context);
    const digest = digestOf(text);
    const written = await files.writeAtomic(given.to, text);
    return { path: written.path, files: given.from.length, bytes: written.bytes, digest };
  },
});

async function mergedText(
  { from, to, header_once }: z.output<typeof input>,
  context: ToolContext,
): Promise<string> {
  const files = requireCapability<Files>(context, 'files');
  const target = await files.locate(to, 'write');
  const parts: string[] = [];
  let bytes = 0;
  let header: string | undefined;
  for (const path of from) {
    const file = await files.read(path);
    if (file.path === target) throw refuse('files.invalid_path', path, 'is also the file for the result');
    bytes += file.bytes;
    if (bytes > MAX_BYTES)
      throw refuse('files.too_large', to, `would be larger than the limit of ${MAX_BYTES} bytes`);
    const text = decodeText(file.content, false);
    if (text === undefined) throw refuse('files.not_text', path, 'is not UTF-8 text');
    await noteFileRead(context, file.path, file.digest);
    const [first = '', ...rest] = text.split(/(?<=\n)/);
    if (header_once && header !== undefined && first.trimEnd() !== header) throw otherColumns(path, first);
    parts.push(endLine(header_once && header !== undefined ? rest.join('') : text));
    header ??= first.trimEnd();
  }
  return parts.join('');
}

function endLine(text: string): string {
  return text === '' || text.endsWith('\n') ? text : `${text}\n`;
}

function otherColumns(path: string, first: string): OkaError<ToolsErrorCode> {
  const message = `"${path}" has other columns (${first.trim().slice(0, 80)}) than the tables before it. Merge tables with the same columns.`;
  return new OkaError<ToolsErrorCode>('files.not_text', message, { data: { path } });
}
