import * as z from 'zod';
import { requireCapability, type Tool, type ToolContext } from '../../engine/index.ts';
import { type Digest, digestOf } from '../../kernel/index.ts';
import { defineTool } from '../define-tool.ts';
import { captureFile, fileBefore, restoreFiles } from '../file-change.ts';
import { noteFileRead } from '../note-content.ts';
import type { Files } from '../ports.ts';
import type { ArchivedFile, ArchiveFormat } from './archive-format.ts';
import { MAX_COPIED, pathList, refuse, setEffect } from './file-set.ts';

const MAX_BYTES = 128 * 1024 * 1024;

const input = z.strictObject({
  from: pathList(MAX_COPIED, 'the files to pack, relative to the workspace'),
  to: z.string().min(1).describe('the archive: a name that ends with .zip, .tar, .tar.gz or .tgz'),
  folder: z.string().min(1).default('.').describe('names in the archive are relative to this folder'),
  replace: z.boolean().default(false).describe('replaces the archive if it exists'),
});
const archiveBefore = z.object({ before: fileBefore, digest: z.string() });

export const archiveFiles: Tool = defineTool({
  name: 'files.archive',
  description: 'Packs files of the workspace into a zip or tar archive; can be undone.',
  input,
  output: z.strictObject({ path: z.string(), files: z.int(), bytes: z.int(), digest: z.string() }),
  annotations: { readOnly: false, destructive: false, idempotent: true, cacheable: false, risk: 'low' },
  sideEffect: 'write_local',
  countsAs: ['files.read', 'files.write'],
  simulatable: true,
  effect: ({ from, to }) => setEffect('pack', from, to),
  writes: (given) => [(given as { to: string }).to],
  async preimage(given, context) {
    const before = await captureFile(given.to, context);
    if (before.existed && (before.folder || !given.replace))
      throw refuse('files.exists', before.path, 'already exists. Choose another name');
    return { before, digest: digestOf(await packedBytes(given, context)) };
  },
  undo({ preimage, force }, context) {
    const { before, digest } = archiveBefore.parse(preimage);
    return restoreFiles([{ before, after: digest as Digest }], force, context);
  },
  async handler(given, context) {
    const files = requireCapability<Files>(context, 'files');
    const bytes = await packedBytes(given, context);
    const digest = digestOf(bytes);
    const written = await files.writeAtomic(given.to, bytes);
    return { path: written.path, files: given.from.length, bytes: written.bytes, digest };
  },
});

async function packedBytes(
  { from, to, folder }: z.output<typeof input>,
  context: ToolContext,
): Promise<Uint8Array> {
  const { formatOf, writeArchive } = await import('./archive-format.ts');
  const format: ArchiveFormat | undefined = formatOf(to);
  if (format === undefined)
    throw refuse('files.invalid_path', to, 'is no archive. Use a name that ends with .zip, .tar or .tar.gz');
  const files = requireCapability<Files>(context, 'files');
  const target = await files.locate(to, 'write');
  const base = folder === '.' ? '' : `${await files.locate(folder, 'read')}/`;
  const packed: ArchivedFile[] = [];
  let bytes = 0;
  for (const given of from) {
    context.signal.throwIfAborted();
    const { path, content, digest, mode } = await files.read(given);
    if (path === target) throw refuse('files.invalid_path', path, 'is the archive itself');
    if (!path.startsWith(base)) throw refuse('files.invalid_path', path, `is not in the folder ${folder}`);
    bytes += content.length;
    if (bytes > MAX_BYTES)
      throw refuse('files.too_large', to, `would hold more than the limit of ${MAX_BYTES} bytes`);
    await noteFileRead(context, path, digest);
    const modifiedAt = (await files.stat(path))?.modifiedAt;
    packed.push({
      name: path.slice(base.length),
      content,
      ...(mode !== undefined && { mode }),
      ...(modifiedAt !== undefined && { modifiedAt }),
    });
  }
  return writeArchive(format, packed);
}
